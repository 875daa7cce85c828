import { setImmediate } from "node:timers/promises";

type Reader = ReadableStreamDefaultReader<Uint8Array>;
type Read = ReturnType<Reader["read"]>;

/** The bytes that a body has so far; `rest` is set when more will follow. */
export type BodyStart = {
  bytes: Uint8Array<ArrayBuffer>;
  rest?: { reader: Reader; read: Read };
};

/** More is compressed while it is read: an export may have hundreds of megabytes. */
const MAX_BYTES = 256 * 1024;

/** Reads to the end, up to a bound, or until the next chunk is not ready within two turns of the event loop. */
export async function readAhead(body: ReadableStream<Uint8Array>): Promise<BodyStart> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const read = reader.read();
    const result = await Promise.race([read, turn()]);
    if (result?.done) return { bytes: concat(chunks) };
    if (!result || length >= MAX_BYTES) return { bytes: concat(chunks), rest: { reader, read } };
    chunks.push(result.value);
    length += result.value.byteLength;
  }
}

/** Yields the whole body, beginning with the bytes already read. */
export async function* remaining({ bytes, rest }: BodyStart): AsyncGenerator<Uint8Array> {
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
    // A body that broke has told its reader so, and one read to its end has nothing to say.
    await reader.cancel().catch(() => undefined);
  }
}

/** Waits two turns: a stream with several steps may need one to pass its chunk on. */
async function turn() {
  await setImmediate();
  await setImmediate();
}

function concat(chunks: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(chunks));
}
