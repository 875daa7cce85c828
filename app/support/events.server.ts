import { setTimeout as pause } from "node:timers/promises";
import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/node";
import { requireUid } from "~/api/require-uid.server";
import { isFailure } from "~/api/errors";
import { clientAddressOf } from "~/api/client-address.server";
import { config } from "~/config.server";
import { subjectOf, widerNetworkOf } from "~/contract/client-address";
import { logBrokenStream } from "~/log.server";
import { uid as uidSchema } from "~/contract/primitives";
import { shownAs, type ShownStatus } from "~/contract/ticket-status";
import type { Visit } from "~/session/visit.server";
import { STATUS_EVENT, type SupportKind } from "./kinds";
import { messageWords } from "./message-words.server";
import { ownMessages } from "./own-messages.server";

const LOOK_EVERY_MS = 2_000;
/** After so long the first reader of a stopping process comes back, and each further one a little later. */
const COME_BACK_MS = 500;
const STEP_MS = 10;
/** Lifetime of a stream. The browser reconnects by itself. */
const OPEN_MS = 60_000;
/** Streams per process. Beyond that, pages poll instead. */
const MAX_OPEN = 300;

/**
 * Streams per person or mailed link. More tabs than that poll instead. Each worker of a machine counts its own
 * streams and gets its part of this and the next limit; a tab that finds no place polls. A count in the database
 * would cost two writes a minute for each open page.
 */
const MAX_OF_PERSON = 5;
/** Streams by mailed links per network address: anybody can request many links. */
const MAX_OF_ADDRESS = 20;
/** The same for the network of the address: it may have hundreds. */
const MAX_OF_NETWORK = 100;

const STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no",
};

let openStreams = 0;
const streamsByHolder = new Map<string, number>();

/**
 * Streams new messages of a thread as server-sent events. The id of an event is the uid of its last
 * message. An event `status` begins each stream and follows each change of the status. Without news it sends a
 * comment, so that no proxy closes the connection.
 */
export async function threadEvents(visit: Visit, { type }: SupportKind, args: LoaderFunctionArgs) {
  const { request, context, params } = args;
  const uid = await requireUid(visit, params);
  // Nobody reads the body of a HEAD answer, so its place would never be released.
  if (request.method === "HEAD") return new Response(null, { headers: STREAM_HEADERS });
  const place = takePlace(streamHoldersOf(visit, clientAddressOf(context)), context);
  if (typeof place === "number") return refuseStream(place);
  const last = request.headers.get("last-event-id") ?? visit.url.searchParams.get("since");
  let since = uidSchema.safeParse(last).data;
  let status: ShownStatus | undefined;
  /** @throws Failure */
  const nextEvents = async () => {
    visit.identifyAnew();
    const query = since ? { since } : {};
    const outcome = await visit.attempt("getTicket", { params: { type, uid }, headers: {}, query });
    if (!outcome.ok) throw outcome.error;
    const { payload } = outcome.value;
    const isNewStatus = shownAs(payload.status) !== status;
    status = shownAs(payload.status);
    const statusEvent = isNewStatus ? `event: ${STATUS_EVENT}\ndata: ${status}\n\n` : "";
    const newest = payload.messages.at(-1);
    if (!newest) return statusEvent || ":\n\n";
    const own = await ownMessages(visit, type, payload);
    if (own.kind !== "found") throw new Error("Nobody knows who wrote the messages");
    since = newest.uid;
    const messages = payload.messages.map((message) => messageWords(message, own.value(message)));
    return `${statusEvent}id: ${since}\ndata: ${JSON.stringify(messages)}\n\n`;
  };
  request.signal.addEventListener("abort", place.release);
  // A reader who left before never aborts again; and an answer that nobody takes is not cancelled.
  if (request.signal.aborted) place.release();
  setTimeout(place.release, OPEN_MS + LOOK_EVERY_MS).unref();
  try {
    const first = await nextEvents();
    const { isTaken, release } = place;
    const stopping = stoppingOf(context);
    const onFault = (error: unknown) => logFault(error, visit.url, false);
    const stream = streamOf(first, { nextEvents, isTaken, stopping, release, onFault });
    return new Response(stream, { headers: STREAM_HEADERS });
  } catch (error) {
    place.release();
    // A session that has ended leads to the login page.
    if (error instanceof Response) throw error;
    logFault(error, visit.url, true);
    return refuseStream(refusalOf(error) ?? 503);
  }
}

/** Logs a fault. A session that ended, or a thread of somebody else, is none: the page says so. */
function logFault(error: unknown, url: URL, isNew: boolean): null {
  if (!(error instanceof Response) && !refusalOf(error)) logBrokenStream(error, url, isNew);
  return null;
}

/** The status of a read that the API refused. Null for a fault. */
function refusalOf(error: unknown) {
  if (!isFailure(error)) return null;
  switch (error.kind) {
    case "unauthorized":
    case "forbidden":
    case "notFound":
      return error.status;
    default:
      return null;
  }
}

/**
 * Refuses a stream. The browser does not reconnect after an error status, and the page polls instead.
 * The newest stream is refused: an older one that was ended would reconnect and end the next.
 */
const refuseStream = (status: keyof typeof REFUSED) =>
  Response.json({ message: REFUSED[status] }, { status, headers: RETRY_LATER });

const REFUSED = {
  401: "The stream needs a session or a mailed link that is valid",
  403: "The stream is of somebody else",
  404: "There is no such thread",
  429: "Too many streams are open",
  503: "The stream cannot be opened",
};
/** Every stream that is open now has ended after this time. */
const RETRY_LATER = { "cache-control": "no-store", "retry-after": String(OPEN_MS / 1000) };

type Holder = { key: string; max: number };

function streamHoldersOf({ session, secret }: Visit, address: string | undefined): Holder[] {
  if (secret === null) {
    return [{ key: `person ${session.claims()?.uid ?? ""}`, max: MAX_OF_PERSON }];
  }
  const subject = subjectOf(address ?? null);
  return [
    { key: `link ${secret}`, max: MAX_OF_PERSON },
    { key: `address ${subject}`, max: MAX_OF_ADDRESS },
    { key: `network ${widerNetworkOf(subject)}`, max: MAX_OF_NETWORK },
  ];
}

/** Takes a place for one stream, or returns the status that refuses it. */
function takePlace(held: readonly Holder[], { workerPlace }: AppLoadContext) {
  if (openStreams >= MAX_OPEN) return 503;
  if (held.some(({ key, max }) => countOf(key) >= partOf(max, workerPlace))) return 429;
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

/** The part of a limit that one worker gets. All parts together are the limit, so a late worker may get none. */
function partOf(max: number, workerPlace: unknown): number {
  const { workers } = config();
  const place = typeof workerPlace === "number" ? workerPlace : 0;
  return Math.floor((max + workers - 1 - place) / workers);
}

const countOf = (key: string) => streamsByHolder.get(key) ?? 0;

/** Aborted when the host waits for open answers: streams must end. */
const stoppingOf = ({ stopping }: AppLoadContext) =>
  stopping instanceof AbortSignal ? stopping : undefined;

type Stream = {
  nextEvents: () => Promise<string>;
  isTaken: () => boolean;
  stopping: AbortSignal | undefined;
  release: () => void;
  onFault: (error: unknown) => null;
};

/**
 * Writes new events at intervals until the reader leaves, the time is over, a read fails or the process stops:
 * another one then serves the reader.
 */
function streamOf(first: string, { nextEvents, isTaken, stopping, release, onFault }: Stream) {
  const encoder = new TextEncoder();
  const until = Date.now() + OPEN_MS;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(first));
    },
    async pull(controller) {
      await pauseUntil(LOOK_EVERY_MS, stopping);
      const isStopping = stopping?.aborted === true;
      const mayRead = isTaken() && !isStopping && Date.now() < until;
      const text = mayRead ? await nextEvents().catch(onFault) : null;
      if (text !== null) return controller.enqueue(encoder.encode(text));
      if (isStopping) controller.enqueue(encoder.encode(comeBack()));
      release();
      controller.close();
    },
    cancel: release,
  });
}

/** Pauses, but no longer than until the signal. */
const pauseUntil = (ms: number, signal: AbortSignal | undefined) =>
  pause(ms, undefined, signal && { signal }).catch(() => undefined);

let comingBack = 0;

/** All streams of the process end at once; their readers should not all come back at once. */
const comeBack = () => `retry: ${COME_BACK_MS + STEP_MS * comingBack++}\n\n`;
