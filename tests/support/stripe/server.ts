import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { answerCall } from "./api";
import type { Account } from "./account";
import { ApiError, unauthorized } from "./errors";
import { readForm } from "./form";

export type Received = {
  line: string;
  body: string;
  query: string;
  idempotencyKey: string | null;
};
type Answer = { status: number; body: object; isFinal?: boolean };
/** The connection ends before the call is received, or after it is done. */
export type Cut = "unreachable" | "lost answer";
type Stored = Answer & { request: string; at: number };

/** Stripe repeats its answer to an idempotency key for a day. */
const KEPT_SECONDS = 24 * 60 * 60;
type Options = { account: Account; key: string; received: Received[] };

/** The part of Stripe's HTTP API that the platform uses. Requests are recorded. */
export function stripeServer({ account, key, received }: Options) {
  const replies = new Map<string, Stored>();

  function knownOf({ idempotencyKey }: Received) {
    const known = idempotencyKey === null ? undefined : replies.get(idempotencyKey);
    return known && account.now < known.at + KEPT_SECONDS ? known : undefined;
  }

  async function reply(request: IncomingMessage, sent: Received, query: string): Promise<Answer> {
    const refusal = knownOf(sent) ? null : await refusalOf(sent);
    const known = knownOf(sent);
    const content = `${sent.line}\n${sent.body}`;
    if (known) return known.request === content ? known : reused();
    const origin = `http://${request.headers.host}`;
    if (refusal) {
      const { status, body, isFinal } = refusal;
      return { status, body: { error: body }, isFinal };
    }
    const answer = attempt(() => {
      if (fault && sent.line.startsWith(fault.calls))
        throw new ApiError(fault.status, { type: "api_error", message: fault.message });
      const bearer = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
      if (bearer !== key) throw unauthorized(bearer);
      return answerCall(sent.line, {
        account,
        form: readForm([sent.body, query.slice(1)].filter(Boolean).join("&")),
        origin,
      });
    });
    if (sent.idempotencyKey && answer.status !== 400 && answer.status !== 401) {
      replies.set(sent.idempotencyKey, { ...answer, request: content, at: account.now });
    }
    return answer;
  }

  let fault: { status: number; message: string; calls: string } | null = null;
  let cut: Cut | null = null;
  let refusalOf: (sent: Received) => ApiError | null | Promise<null> = () => null;
  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? "/", "http://stripe.test");
    const { "idempotency-key": sentKey } = request.headers;
    const sent = {
      line: `${request.method} ${url.pathname}`,
      body: await text(request),
      query: url.search,
      idempotencyKey: typeof sentKey === "string" ? sentKey : null,
    };
    received.push(sent);
    if (cut === "unreachable") return void response.destroy();
    const { status, body, isFinal } = await reply(request, sent, url.search);
    if (cut === "lost answer") return void response.destroy();
    response.writeHead(status, {
      "content-type": "application/json",
      "request-id": "req_test",
      // Stripe sends this header too. Without it the library would wait and retry twice.
      ...(isFinal && { "stripe-should-retry": "false" }),
    });
    response.end(JSON.stringify(body));
  }
  return {
    server,
    /** Forgets idempotency keys, as Stripe does after a day. */
    forgetKeys: () => replies.clear(),
    /** Sets what later calls meet: an error, or null for the normal answer. A promise delays it. */
    answerWith(choose: typeof refusalOf) {
      refusalOf = choose;
    },
    /** Makes every later call fail with this message, or those whose line begins so. */
    breakDown(message: string, status = 402, calls = "") {
      fault = { status, message, calls };
    },
    recover() {
      fault = null;
      cut = null;
    },
    /** Cuts the connection of every later call. */
    cutCalls(how: Cut) {
      cut = how;
    },
  };
}

function attempt(work: () => object): Answer {
  try {
    // The answer must not change when the object changes later.
    return { status: 200, body: structuredClone(work()) };
  } catch (error) {
    if (error instanceof ApiError) return { status: error.status, body: { error: error.body } };
    return { status: 500, body: { error: { type: "api_error", message: String(error) } } };
  }
}

function reused(): Answer {
  const message = "Keys for idempotent requests can only be used with the same parameters";
  return { status: 400, body: { error: { type: "idempotency_error", message } } };
}
