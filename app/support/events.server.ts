import type { Visit } from "~/session/enter.server";
import type { SupportKind } from "./kinds";
import { messageWords } from "./message-words.server";

const LOOK_EVERY_MS = 2_000;
/** A browser comes back by itself; nothing stays open for ever. */
const OPEN_MS = 60_000;
/** Beyond that many, pages ask now and then instead. */
const MAX_OPEN = 1_000;

let open = 0;

/**
 * New messages of a thread as server-sent events, each lot under the uid of its last one; silence is
 * a comment, so that nothing between takes the line for dead.
 */
export function threadEvents(visit: Visit, { type }: SupportKind, uid: string, request: Request) {
  if (open >= MAX_OPEN) return new Response(null, { status: 503 });
  let since = request.headers.get("last-event-id") ?? visit.url.searchParams.get("since");
  const news = async () => {
    const query = since ? { since } : {};
    const outcome = await visit.attempt("getTicket", { params: { type, uid }, headers: {}, query });
    if (!outcome.ok) return null;
    const { messages } = outcome.value.payload;
    since = messages.at(-1)?.uid ?? since;
    return messages.length
      ? `id: ${since}\ndata: ${JSON.stringify(messages.map(messageWords))}\n\n`
      : ":\n\n";
  };
  return new Response(streamOf(news, request.signal), {
    headers: {
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    },
  });
}

/** Writes what there is now and then, until the reader leaves, the time is over or a look fails. */
function streamOf(news: () => Promise<string | null>, signal: AbortSignal) {
  const encoder = new TextEncoder();
  const until = Date.now() + OPEN_MS;
  let left = false;
  signal.addEventListener("abort", () => (left = true));
  open++;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const text = left || Date.now() > until ? null : await news().catch(() => null);
      if (text === null) {
        open--;
        return controller.close();
      }
      controller.enqueue(encoder.encode(text));
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    },
    cancel() {
      open--;
    },
  });
}
