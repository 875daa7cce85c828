/** Characters of a piece, after which other work of the process gets its turn. */
const PIECE_LENGTH = 64 * 1024;

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * The JSON text of a value, in pieces. Lists may be read while they are written (`AsyncIterable`). The pieces
 * together are what `JSON.stringify` makes of it, but no string is as long as all of them.
 */
export async function* jsonPieces(value: unknown, indent = 0): AsyncGenerator<string, void> {
  let piece = "";
  for await (const text of textsOf(value, { gap: " ".repeat(indent), depth: 0 })) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
    await nextTurn();
  }
  if (piece) yield piece;
}

type StreamOptions = {
  indent?: number;
  /** What follows the JSON text. */
  end?: string;
  /** Called with the fault that breaks the answer off, after its status was sent. */
  onBroken: (fault: unknown) => void;
};

/** The same as the body of an answer, which is read on as far as it is sent. */
export function jsonStream(
  value: unknown,
  { indent = 0, end = "", onBroken }: StreamOptions,
): ReadableStream<Uint8Array> {
  const pieces = jsonPieces(value, indent);
  const encoder = new TextEncoder();
  const nextPiece = () =>
    pieces.next().catch((fault: unknown) => {
      onBroken(fault);
      throw fault;
    });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await nextPiece();
        controller.enqueue(encoder.encode(next.done ? end : next.value));
        if (next.done) controller.close();
      },
      cancel: async () => void (await pieces.return(undefined)),
    },
    // Nothing is read before somebody takes the answer.
    { highWaterMark: 0 },
  );
}

type Place = { gap: string; depth: number };

async function* textsOf(value: unknown, place: Place): AsyncGenerator<string, void> {
  if (typeof value !== "object" || value === null) yield JSON.stringify(value) ?? "null";
  else if (isList(value)) yield* listTexts(value, place);
  else yield* objectTexts(value, place);
}

type List = Iterable<unknown> | AsyncIterable<unknown>;

const isList = (value: object): value is List =>
  Array.isArray(value) || Symbol.asyncIterator in value;

async function* listTexts(list: List, place: Place) {
  let count = 0;
  for await (const item of list) {
    yield (count++ ? "," : "[") + lineOf(place, 1);
    yield* textsOf(item, inside(place));
  }
  yield count ? `${lineOf(place, 0)}]` : "[]";
}

async function* objectTexts(object: object, place: Place) {
  let count = 0;
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined) continue;
    const name = `${JSON.stringify(key)}:${place.gap && " "}`;
    yield (count++ ? "," : "{") + lineOf(place, 1) + name;
    yield* textsOf(value, inside(place));
  }
  yield count ? `${lineOf(place, 0)}}` : "{}";
}

const lineOf = ({ gap, depth }: Place, deeper: number) => gap && `\n${gap.repeat(depth + deeper)}`;

const inside = ({ gap, depth }: Place): Place => ({ gap, depth: depth + 1 });
