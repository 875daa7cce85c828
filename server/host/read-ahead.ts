import { setImmediate } from "node:timers/promises";

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

/** What a body holds already; `rest` is there when more is still being made. */
export type Beginning = {
  bytes: Uint8Array<ArrayBuffer>;
  rest?: { reader: Reader; read: Read };
};

/** Reads until the end, or until a chunk lets wait for longer than a turn of the event loop. */
export async function readAhead(body: ReadableStream<Uint8Array>): Promise<Beginning> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (;;) {
    const read = reader.read();
    const result = await Promise.race([read, turn()]);
    if (!result) return { bytes: concat(chunks), rest: { reader, read } };
    if (result.done) return { bytes: concat(chunks) };
    chunks.push(result.value);
  }
}

/** The whole body again, from its beginning. */
export async function* remaining({ bytes, rest }: Beginning): AsyncGenerator<Uint8Array> {
  if (bytes.byteLength > 0) yield bytes;
  if (!rest) return;
  const { reader } = rest;
  try {
    let { done, value } = await rest.read;
    while (!done) {
      if (value) yield value;
      ({ done, value } = await reader.read());
    }
  } finally {
    // A body that broke has said so to who reads it, and one read to its end has nothing to say.
    await reader.cancel().catch(() => undefined);
  }
}

/** Two turns: a stream of several steps may need one to hand its chunk over. */
async function turn() {
  await setImmediate();
  await setImmediate();
}

function concat(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(chunks));
}
