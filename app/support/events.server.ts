import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import { requireUid } from "~/api/require-uid.server";
import { clientAddressOf } from "~/api/client-address.server";
import { subjectOf } from "~/contract/client-address";
import { logBrokenStream } from "~/log.server";
import { uid as uidSchema } from "~/contract/primitives";
import type { Visit } from "~/session/visit.server";
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

let openStreams = 0;
const streamsByHolder = new Map<string, number>();

/**
 * New messages of a thread as server-sent events, each lot under the uid of its last one; silence is
 * a comment, so that nothing between takes the line for dead.
 */
export async function threadEvents(visit: Visit, { type }: SupportKind, args: LoaderFunctionArgs) {
  const { request, context, params } = args;
  const uid = await requireUid(visit, params);
  // Nobody reads the stream of a HEAD, so that nothing would give its place back.
  if (request.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
  const place = takePlace(streamHoldersOf(visit, clientAddressOf(context)));
  if (typeof place === "number") return refuseStream(place);
  const last = request.headers.get("last-event-id") ?? visit.url.searchParams.get("since");
  let since = uidSchema.safeParse(last).data;
  const nextEvents = async () => {
    const query = since ? { since } : {};
    const outcome = await visit.attempt("getTicket", { params: { type, uid }, headers: {}, query });
    if (!outcome.ok) return null;
    const { messages } = outcome.value.payload;
    since = messages.at(-1)?.uid ?? since;
    return messages.length
      ? `id: ${since}\ndata: ${JSON.stringify(messages.map(messageWords))}\n\n`
      : ":\n\n";
  };
  request.signal.addEventListener("abort", place.release);
  const first = await nextEvents();
  if (first === null) {
    place.release();
    return refuseStream(503);
  }
  const isOpen = () => place.isTaken() && !isStopping(context);
  return new Response(streamOf(first, { nextEvents, isOpen, release: place.release }), {
    headers: STREAM_HEADERS,
  });
}

/**
 * After any refusal a browser does not ask again, and the page asks by itself. The newest is refused:
 * the oldest, if it were ended instead, would come back at once and end the next.
 */
const refuseStream = (status: 429 | 503) => new Response(null, { status });

type Holder = { key: string; max: number };

function streamHoldersOf({ session, secret }: Visit, address: string | undefined): Holder[] {
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
  if (openStreams >= MAX_OPEN) return 503;
  if (held.some(({ key, max }) => countOf(key) >= max)) return 429;
  count(1);
  let isTaken = true;
  return {
    isTaken: () => isTaken,
    release() {
      if (isTaken) count(-1);
      isTaken = false;
    },
  };

  function count(change: 1 | -1) {
    openStreams += change;
    for (const { key } of held) {
      const count = countOf(key) + change;
      if (count > 0) streamsByHolder.set(key, count);
      else streamsByHolder.delete(key);
    }
  }
}

const countOf = (key: string) => streamsByHolder.get(key) ?? 0;

/** A host that stops waits for its answers: these would never end. */
const isStopping = ({ stopping }: AppLoadContext) =>
  stopping instanceof AbortSignal && stopping.aborted;

type Stream = {
  nextEvents: () => Promise<string | null>;
  isOpen: () => boolean;
  release: () => void;
};

/** Writes what there is now and then, until the reader leaves, the time is over or a look fails. */
function streamOf(first: string, { nextEvents, isOpen, release }: Stream) {
  const encoder = new TextEncoder();
  const until = Date.now() + OPEN_MS;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const mayRead = isOpen() && Date.now() < until;
      const text = mayRead ? await nextEvents().catch(logBrokenStream) : null;
      if (text !== null) return controller.enqueue(encoder.encode(text));
      release();
      controller.close();
    },
    cancel: release,
  });
}
