import { createRequire } from "node:module";
import type * as Argon2 from "@node-rs/argon2";

/**
 * Argon2 with each answer computed once a process, for tests that do not ask how long a hash takes: nearly every
 * one of them registers a person and signs in with the same password, and half of their time was this function.
 * Other passwords than those repeated are computed as ever. The package itself is changed, before anybody
 * imports it, because the built site finds it without Vite.
 */
const argon2: { -readonly [Name in keyof typeof Argon2]: (typeof Argon2)[Name] } = createRequire(
  import.meta.url,
)("@node-rs/argon2");
const { hash, verify } = argon2;

// Without isolation this file runs once for each test file.
const CHANGED = Symbol.for("argon2 computes each answer once");

if (!(CHANGED in argon2)) {
  const answers = new Map<string, Promise<unknown>>();
  const once = <T>(key: readonly unknown[], compute: () => Promise<T>): Promise<T> => {
    const name = JSON.stringify(key);
    const known = answers.get(name) ?? compute();
    answers.set(name, known);
    // The key holds the types: what was stored under it came from the same call.
    return known as Promise<T>;
  };
  argon2.hash = (password, options) =>
    once(["hash", password, options], () => hash(password, options));
  argon2.verify = (hashed, password) =>
    once(["verify", hashed, password], () => verify(hashed, password));
  Object.defineProperty(argon2, CHANGED, { value: true });
}
