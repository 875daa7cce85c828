import { availableParallelism } from "node:os";
import { hash, verify } from "@node-rs/argon2";
import { fairQueue, QueueFull } from "../../fair-queue";
import { Refusal } from "../http/refusal";

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
export const PASSWORD_HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A hash keeps a core and one of the four threads of libuv busy, which compression, files and host
 * names share: one core stays for pages, and one thread in any case (docs/decisions/0020).
 */
const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1));

const queue = fairQueue({ atOnce: AT_ONCE, inHand: 200, inHandOfOne: 20 });
const RETRY_AFTER_SECONDS = 2;

/** Hash of a random password nobody knows, made with the parameters above. */
export const NOBODYS_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$x06J8xbJtcyzRhs/eaYh0g$g+UEl5SDkf4m8Zlkw9fywFg+58v+8gP/9VhH+/USeog";

/** @param whose address that asks (`subjectOf`) */
export async function hashPassword(whose: string, password: string): Promise<string> {
  return inTurn(whose, () => hash(canonical(password), PASSWORD_HASHING));
}

/**
 * Takes as long without a hash as with one: the time must not tell who has an account.
 * @param whose address that asks (`subjectOf`)
 */
export async function passwordMatches(
  whose: string,
  stored: string | null,
  password: string,
): Promise<boolean> {
  const matches = await inTurn(whose, () => verify(stored ?? NOBODYS_HASH, canonical(password)));
  return matches && stored !== null;
}

/** The same password typed on another system may be composed differently (NIST SP 800-63B). */
const canonical = (password: string) => password.normalize("NFKC");

/** @throws Refusal 429 when as much is in hand as may be, of everybody or of them */
async function inTurn<T>(whose: string, work: () => Promise<T>): Promise<T> {
  try {
    return await queue(whose, work);
  } catch (error) {
    if (!(error instanceof QueueFull)) throw error;
    throw new Refusal(429, error.message, [], { "retry-after": String(RETRY_AFTER_SECONDS) });
  }
}
