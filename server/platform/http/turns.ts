import type { Method } from "../../../app/contract/endpoint";
import { fairQueue } from "../../fair-queue";
import { queueRefusal } from "./refusal";
import type { Principal } from "./types";

/** Reasons for the numbers: docs/decisions/0025-requests-take-turns.md. */
const BOUNDS = {
  maxAdmittedPerSubject: 200,
  maxAdmitted: 2_000,
  // Whom a call speaks for does not depend on where it comes from.
  networkOf: (subject: string) => subject,
  maxWaitMs: 15_000,
};
const MAX_READING = 6;
const MAX_WRITING = 2;

type Asked = { principal: Principal | null; headers?: unknown; body?: unknown };

/**
 * Lets the calls of one account, or of one mailed secret, wait for each other before they take a connection to the
 * database: they would wait for the same rows there, with connections that others need.
 */
export function callTurns() {
  const reading = fairQueue({ ...BOUNDS, maxRunningPerSubject: MAX_READING });
  const writing = fairQueue({ ...BOUNDS, maxRunningPerSubject: MAX_WRITING });

  /** @throws Refusal 429 when too many calls of the same sender wait, or one waits too long */
  return async function runInTurn<T>(
    method: Method,
    asked: Asked,
    answer: () => Promise<T>,
  ): Promise<T> {
    const sender = senderOf(asked);
    if (sender === null) return answer();
    try {
      return await (method === "GET" ? reading : writing)(sender, answer);
    } catch (error) {
      throw queueRefusal(error);
    }
  };
}

/** Whom the call speaks for; null for anybody, and for roles without an account. */
function senderOf({ principal, headers, body }: Asked): string | null {
  if (principal) return principal.uid === "" ? null : `account ${principal.uid}`;
  const secret = textIn(headers, "support-authorization") ?? textIn(body, "token");
  return secret === null ? null : `secret ${secret}`;
}

function textIn(values: unknown, name: string): string | null {
  if (typeof values !== "object" || values === null) return null;
  const value: unknown = Reflect.get(values, name);
  return typeof value === "string" ? value : null;
}
