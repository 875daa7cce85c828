import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { pipeline } from "node:stream";

const LINE_BREAK = 0x0a;

/**
 * The lines of a backup file. `-`: of standard input.
 * @throws Error in one sentence where it cannot be read or is damaged
 */
export async function* readBackupFile(file: string): AsyncGenerator<string> {
  const source = file === "-" ? process.stdin : createReadStream(file);
  // The error needs no handling here: the reading below ends with the same one.
  const unpacked = pipeline(source, createGunzip(), () => undefined);
  try {
    yield* linesIn(unpacked);
  } catch (error) {
    throw new Error(
      `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

/** Cuts at line breaks alone: a reader of text files would also cut within texts, at U+2028. */
async function* linesIn(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let parts: Buffer[] = [];
  for await (const chunk of chunks) {
    let start = 0;
    for (let end; (end = chunk.indexOf(LINE_BREAK, start)) >= 0; start = end + 1) {
      yield Buffer.concat([...parts, chunk.subarray(start, end)]).toString("utf8");
      parts = [];
    }
    parts.push(chunk.subarray(start));
  }
}
