import type { Prepared } from "./prepare";

/**
 * A call on its way, with the bearer token of the moment. `signal` tells the end of its time; only calls that leave
 * the process make one.
 */
export type Outgoing = Prepared & { bearer: string | undefined; signal: () => AbortSignal };

/**
 * What came back. `text` is that of an answer from outside, which nobody has checked; `value` is JSON that
 * this process has checked against the contract.
 */
export type AnswerBody = { text: string; isJson: boolean } | { value: unknown };

export type Arriving = {
  status: number;
  nextToken: string | null;
  retryAfter: string | null;
  /** Reads the body to its end, needed or not: only that frees its connection. */
  readBody: () => Promise<AnswerBody>;
};

/** Carries one call to the API: in process or over HTTP. */
export type Carrier = (outgoing: Outgoing) => Promise<Arriving>;
