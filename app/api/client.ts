import type { z } from "zod/v4";
import type { Endpoint } from "~/contract/endpoint";
import type { EndpointName, Endpoints } from "~/contract/endpoints";
import { REQUEST_TIMEOUT_MS, VIOLATIONS_TOLD } from "~/contract/limits";
import { BrokenAnswer } from "./broken-answer";
import type { Carrier } from "./carrier";
import { isFailure, ProcessError, ResponseValidationError, type Failure } from "./errors";
import { prepare, type Input, type Prepared, type Sender } from "./prepare";
import { errorOf, type Answer } from "./translate";

type BodyOf<S> = S extends z.ZodType ? z.output<S> : null;
type Bodies<E> =
  E extends Endpoint<infer _R, infer A> ? { [S in keyof A]: BodyOf<A[S]> }[keyof A] : never;

/** The checked body of a successful answer. */
export type Success<N extends EndpointName> = Bodies<Endpoints[N]>;

export type Outcome<N extends EndpointName> =
  { ok: true; value: Success<N> } | { ok: false; error: Failure };

export type Api = {
  /** @throws Failure for any answer but success */
  call: <N extends EndpointName>(name: N, input: Input<N>) => Promise<Success<N>>;
  /** Like `call`, but returns failures as values. A redirect of the session is still thrown. */
  attempt: <N extends EndpointName>(name: N, input: Input<N>) => Promise<Outcome<N>>;
};

export type ApiOptions = Sender & {
  carrier: Carrier;
  /** The current bearer token. Read at each call, because an earlier call may have renewed it. */
  bearer: (name: EndpointName) => string | undefined;
  /** Called with the `next-token` header of every answer, even of an answer that is retried. */
  onNextToken: (token: string, name: EndpointName) => void | Promise<void>;
  /** Called when an answer to a bearer token is 401; may throw a redirect. */
  onUnauthorized?: () => Promise<void>;
  /** Called when an answer is 403. The session already holds the roles of that answer's `next-token`. */
  onForbidden?: () => Promise<void>;
  timeoutMs?: number;
  /** Milliseconds that are left of what a page's calls share. Without it each call has the whole limit. */
  timeLeft?: () => number;
};

/**
 * What a call has when the time of its page is spent: a page that shows a failure still reads what it is made of,
 * and a write that begins is not cut off where nobody knows what became of it (docs/decisions/0060).
 */
const LEAST_MS = { read: 1_000, write: 5_000 };

const RETRIED = new Set([408, 409, 425, 429, 500, 502, 503, 504]);

/** The only door to `/api`: timeout, one retry of reads, both directions checked (R-7.1, 7.2, 5.6). */
export function createApi(options: ApiOptions): Api {
  const call: Api["call"] = async (name, input) => {
    const prepared = prepare(name, input, options);
    // The cast is safe: `checkAnswer` parses with the schema of `name`, which its type cannot tell.
    return (await checkAnswer(prepared, await send(prepared, options), options)) as never;
  };
  return {
    call,
    async attempt(name, input) {
      try {
        return { ok: true, value: await call(name, input) };
      } catch (error) {
        if (isFailure(error)) return { ok: false, error };
        throw error;
      }
    },
  };
}

/** An answer, and whether its request carried a bearer token. */
type SentAnswer = { answer: Answer; withBearer: boolean };

async function send(prepared: Prepared, options: ApiOptions): Promise<SentAnswer> {
  const first = await sendOnce(prepared, options);
  if (prepared.endpoint.method !== "GET") return first;
  if (isOpenToAll(prepared, first)) return sendOnce(prepared, { ...options, bearer: nobody });
  const mayRetry = RETRIED.has(first.answer.status) && (options.timeLeft?.() ?? Infinity) > 0;
  return mayRetry ? sendOnce(prepared, options) : first;
}

const nobody = () => undefined;

/** Whether public content was refused because of an expired token: it can be read without one. */
const isOpenToAll = ({ endpoint }: Prepared, { answer, withBearer }: SentAnswer) =>
  answer.status === 401 && withBearer && !endpoint.request.authorization;

/** One time limit is for the whole answer with its body. */
async function sendOnce(prepared: Prepared, options: ApiOptions): Promise<SentAnswer> {
  const { carrier, onNextToken } = options;
  const { line, name } = prepared;
  const limit = openTimeLimit(line, limitOf(prepared, options));
  try {
    const bearer = options.bearer(name);
    const outgoing = { ...prepared, bearer, signal: limit.signal };
    const { status, nextToken, retryAfter, readBody } = await limit.within(async () =>
      carrier(outgoing),
    );
    if (nextToken) await onNextToken(nextToken, name);
    const body = await limit.within(readBody);
    return { answer: { status, retryAfter, body }, withBearer: !!bearer };
  } finally {
    limit.close();
  }
}

function limitOf({ endpoint }: Prepared, options: ApiOptions): number {
  const { timeoutMs = REQUEST_TIMEOUT_MS, timeLeft = () => Infinity } = options;
  const least = endpoint.method === "GET" ? LEAST_MS.read : LEAST_MS.write;
  return Math.min(timeoutMs, Math.max(least, Math.ceil(timeLeft())));
}

/**
 * The time of one call. An in-process transport cannot be interrupted, so at the limit its answer is simply
 * ignored. The timer ends with the call: those of `AbortSignal.timeout` would stay for the whole limit.
 */
function openTimeLimit(line: string, ms: number) {
  const controller = new AbortController();
  let isOver = false;
  let giveUp = () => {};
  const over = new Promise<never>((_, reject) => (giveUp = () => reject(new Error("Timeout"))));
  // Nobody waits for it any more when the call has its answer.
  over.catch(() => undefined);
  const timer = setTimeout(() => {
    isOver = true;
    giveUp();
    controller.abort();
  }, ms).unref();
  return {
    signal: () => controller.signal,
    close: () => clearTimeout(timer),
    within: async <T>(work: () => Promise<T>): Promise<T> => {
      try {
        return await (isOver ? over : Promise.race([over, work()]));
      } catch (error) {
        if (error instanceof BrokenAnswer) {
          throw new ResponseValidationError(
            line,
            `${line}: the answer cannot be read, ${error.message}`,
          );
        }
        throw new ProcessError(line, `${line}: no answer`, { cause: error, isTimeout: isOver });
      }
    },
  };
}

async function checkAnswer({ endpoint, line }: Prepared, sent: SentAnswer, options: ApiOptions) {
  const { answer, withBearer } = sent;
  const schema = endpoint.answers[answer.status];
  if (schema === null) return null;
  if (schema === undefined) {
    if (withBearer && endpoint.request.authorization) await notifyRefusal(answer.status, options);
    throw errorOf(endpoint, line, answer);
  }
  // The platform in this process has checked what it answers.
  if ("value" in answer.body) return answer.body.value;
  const body = schema.safeParse(parseText(line, answer.body));
  if (body.success) return body.data;
  const issues = body.error.issues.slice(0, VIOLATIONS_TOLD);
  const paths = issues.map(({ path }) => path.join(".")).join(", ");
  throw new ResponseValidationError(line, `${line}: the answer does not fit at ${paths}`);
}

async function notifyRefusal(status: number, { onUnauthorized, onForbidden }: ApiOptions) {
  if (status === 401) await onUnauthorized?.();
  if (status === 403) await onForbidden?.();
}

function parseText(line: string, { text, isJson }: { text: string; isJson: boolean }): unknown {
  if (!isJson) {
    throw new ResponseValidationError(line, `${line}: the answer is not JSON`);
  }
  try {
    return JSON.parse(text);
  } catch {
    // The cause is left out: the message of a SyntaxError quotes the body, which may hold secrets.
    throw new ResponseValidationError(line, `${line}: unreadable JSON`);
  }
}
