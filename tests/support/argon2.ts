import { createRequire } from "node:module";
import type * as argon2 from "@node-rs/argon2";

/** Not by `import`, which would lead here. */
const real: typeof argon2 = createRequire(import.meta.url)("@node-rs/argon2");

/**
 * Argon2 with each answer computed once a process: nearly every test registers a person and signs in with the
 * same password, and a third of its time was this function. Other passwords than those repeated are computed as
 * ever. (`vitest.config.ts` gives it to the platform's tests.)
 */
const answers = new Map<string, Promise<unknown>>();

function once<T>(key: readonly unknown[], compute: () => Promise<T>): Promise<T> {
  const name = JSON.stringify(key);
  const known = answers.get(name) ?? compute();
  answers.set(name, known);
  // The key holds the types: what was stored under it came from the same call.
  return known as Promise<T>;
}

export const hash = (password: string, options: argon2.Options) =>
  once(["hash", password, options], () => real.hash(password, options));

export const verify = (hashed: string, password: string) =>
  once(["verify", hashed, password], () => real.verify(hashed, password));
