import { hash, verify } from "@node-rs/argon2";
import { Refusal } from "../http/refusal";

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
export const PASSWORD_HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** At most this many at a time, so that many logins cannot exhaust memory: 4 × 19 MiB. */
const AT_ONCE = 4;
const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 2;

/** Hash of a random password nobody knows, made with the parameters above. */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$x06J8xbJtcyzRhs/eaYh0g$g+UEl5SDkf4m8Zlkw9fywFg+58v+8gP/9VhH+/USeog";

export async function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(canonical(password), PASSWORD_HASHING));
}

/** Takes as long without a hash as with one: the time must not tell who has an account. */
export async function passwordMatches(stored: string | null, password: string): Promise<boolean> {
  const matches = await inTurn(() => verify(stored ?? NOBODYS_HASH, canonical(password)));
  return matches && stored !== null;
}

/** The same password typed on another system may be composed differently (NIST SP 800-63B). */
const canonical = (password: string) => password.normalize("NFKC");

let running = 0;
const waiting: (() => void)[] = [];

/** @throws Refusal 429 when the queue is full */
async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await turn();
  else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

function turn() {
  if (waiting.length >= MAX_WAITING) {
    throw new Refusal(429, "Too many requests at once", [], {
      "retry-after": String(RETRY_AFTER_SECONDS),
    });
  }
  return new Promise<void>((resolve) => waiting.push(resolve));
}
