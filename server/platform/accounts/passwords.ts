import { hash, verify } from "@node-rs/argon2";
import { widerNetworkOf } from "../../../app/contract/client-address";
import { fairQueue } from "../../fair-queue";
import { hashInTurn, MAX_HASHES } from "../../hash-turns";
import { queueRefusal } from "../http/refusal";

/** Argon2id with OWASP's parameters: 19 MiB, two passes, one lane. */
export const PASSWORD_HASHING = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * A hash occupies one core and one of libuv's four threads, which compression, files and DNS share. At least
 * one thread stays free for pages (docs/decisions/0020).
 */
const queue = fairQueue({
  maxRunning: MAX_HASHES,
  maxAdmitted: 200,
  maxAdmittedPerSubject: 20,
  networkOf: widerNetworkOf,
  // A new password waits twice, and the site gives up after 20 s (REQUEST_TIMEOUT_MS).
  maxWaitMs: 8_000,
});

/** Hash of a discarded random password, with the parameters above: no password matches it. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=19456,t=2,p=1$x06J8xbJtcyzRhs/eaYh0g$g+UEl5SDkf4m8Zlkw9fywFg+58v+8gP/9VhH+/USeog";

/** @param subject the client's address (`subjectOf`), for the queue */
export async function hashPassword(subject: string, password: string): Promise<string> {
  return runInTurn(subject, () => hash(canonical(password), PASSWORD_HASHING));
}

/**
 * Verifies a password. Without a hash it takes the same time, so that the time does not tell who has an
 * account.
 * @param subject the client's address (`subjectOf`), for the queue
 */
export async function passwordMatches(
  subject: string,
  storedHash: string | null,
  password: string,
): Promise<boolean> {
  const matches = await runInTurn(subject, () =>
    verify(storedHash ?? DUMMY_HASH, canonical(password)),
  );
  return matches && storedHash !== null;
}

/** Normalises Unicode: another system may encode the same password differently (NIST SP 800-63B). */
const canonical = (password: string) => password.normalize("NFKC");

/** @throws Refusal 429 when the queue is full, in total or for this address, or the wait became too long */
async function runInTurn<T>(subject: string, work: () => Promise<T>): Promise<T> {
  try {
    return await queue(subject, () => hashInTurn(work));
  } catch (error) {
    throw queueRefusal(error);
  }
}
