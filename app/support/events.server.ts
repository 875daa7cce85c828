import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import { addressUid } from "~/api/address-uid.server";
import { ApiError } from "~/api/errors";
import { clientAddressOf } from "~/api/client-address.server";
import { subjectOf } from "~/contract/client-address";
import { logBrokenStream } from "~/log.server";
import { uid as uidSchema } from "~/contract/primitives";
import type { Visit } from "~/session/enter.server";
import type { SupportKind } from "./kinds";
import { messageWords } from "./message-words.server";

const LOOK_EVERY_MS = 2_000;
/** A browser comes back by itself; nothing stays open for ever. */
const OPEN_MS = 60_000;
/** Beyond that many, pages ask now and then instead. */
const MAX_OPEN = 300;

/** Of one person, or of one mailed link: more tabs than that ask now and then instead. */
const MAX_OF_PERSON = 5;
/** From one address, of whoever comes by mailed links: anybody can have many of them mailed. */
const MAX_OF_ADDRESS = 20;

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

let open = 0;
const holders = new Map<string, number>();

/**
 * New messages of a thread as server-sent events, each lot under the uid of its last one; silence is
 * a comment, so that nothing between takes the line for dead.
 */
export async function threadEvents(visit: Visit, { type }: SupportKind, args: LoaderFunctionArgs) {
  const { request, context, params } = args;
  const uid = await addressUid(visit, params);
  // Nobody reads the stream of a HEAD, so that nothing would give its place back.
  if (request.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
  const place = takePlace(holdersOf(visit, clientAddressOf(context)));
  if (typeof place === "number") return refused(place);
  const last = request.headers.get("last-event-id") ?? visit.url.searchParams.get("since");
  let since = uidSchema.safeParse(last).data;
  /** @throws Failure */
  const news = async () => {
    const query = since ? { since } : {};
    const outcome = await visit.attempt("getTicket", { params: { type, uid }, headers: {}, query });
    if (!outcome.ok) throw outcome.error;
    const { messages } = outcome.value.payload;
    since = messages.at(-1)?.uid ?? since;
    return messages.length
      ? `id: ${since}\ndata: ${JSON.stringify(messages.map(messageWords))}\n\n`
      : ":\n\n";
  };
  request.signal.addEventListener("abort", place.leave);
  try {
    const first = await news();
    const goesOn = () => place.isTaken() && !isStopping(context);
    const onFault = (error: unknown) => tellFault(error, visit.url, false);
    const stream = streamOf(first, { news, goesOn, leave: place.leave, onFault });
    return new Response(stream, { headers: STREAM_HEADERS });
  } catch (error) {
    place.leave();
    // The way to sign in, of somebody whose session has ended.
    if (error instanceof Response) throw error;
    tellFault(error, visit.url, true);
    return refused(503);
  }
}

/** A session that ended, or a thread that is not theirs, is no fault: the page tells the person. */
function tellFault(error: unknown, url: URL, isNew: boolean): null {
  const isRefusal = error instanceof ApiError && REFUSALS.includes(error.kind);
  if (!(error instanceof Response) && !isRefusal) logBrokenStream(error, url, isNew);
  return null;
}

const REFUSALS = ["unauthorized", "forbidden", "notFound"];

/**
 * After any refusal a browser does not ask again, and the page asks by itself. The newest is refused:
 * the oldest, if it were ended instead, would come back at once and end the next.
 */
const refused = (status: 429 | 503) => new Response(null, { status });

type Holder = { key: string; max: number };

function holdersOf({ session, secret }: Visit, address: string | undefined): Holder[] {
  if (secret === null) {
    return [{ key: `person ${session.claims()?.uid ?? ""}`, max: MAX_OF_PERSON }];
  }
  return [
    { key: `link ${secret}`, max: MAX_OF_PERSON },
    { key: `address ${subjectOf(address ?? null)}`, max: MAX_OF_ADDRESS },
  ];
}

/** One of the streams there may be at once, or the status that refuses it. */
function takePlace(held: readonly Holder[]) {
  if (open >= MAX_OPEN) return 503;
  if (held.some(({ key, max }) => countOf(key) >= max)) return 429;
  count(1);
  let isTaken = true;
  return {
    isTaken: () => isTaken,
    leave() {
      if (isTaken) count(-1);
      isTaken = false;
    },
  };

  function count(change: 1 | -1) {
    open += change;
    for (const { key } of held) {
      const left = countOf(key) + change;
      if (left > 0) holders.set(key, left);
      else holders.delete(key);
    }
  }
}

const countOf = (key: string) => holders.get(key) ?? 0;

/** A host that stops waits for its answers: these would never end. */
const isStopping = ({ stopping }: AppLoadContext) =>
  stopping instanceof AbortSignal && stopping.aborted;

type Stream = {
  news: () => Promise<string>;
  goesOn: () => boolean;
  leave: () => void;
  onFault: (error: unknown) => null;
};

/** Writes what there is now and then, until the reader leaves, the time is over or a look fails. */
function streamOf(first: string, { news, goesOn, leave, onFault }: Stream) {
  const encoder = new TextEncoder();
  const until = Date.now() + OPEN_MS;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const looks = goesOn() && Date.now() < until;
      const text = looks ? await news().catch(onFault) : null;
      if (text !== null) return controller.enqueue(encoder.encode(text));
      leave();
      controller.close();
    },
    cancel: leave,
  });
}
