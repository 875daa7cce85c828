import { parentPort } from "node:worker_threads";
import { z } from "zod/v4";
import { hasTooManyLines } from "./line-count";
import { readBody, readHead } from "./parse";

const request = z.object({ part: z.enum(["head", "body"]), raw: z.instanceof(Uint8Array) });

/**
 * The worker thread that parses mails, so that a hostile mail blocks nothing else. An error leaves the
 * thread by its name only, because its message may quote the mail.
 */
const readers = {
  head: readHead,
  body: async (raw: Buffer) => (hasTooManyLines(raw) ? null : readBody(raw)),
};

parentPort?.on("message", (message: unknown) => {
  const { part, raw } = request.parse(message);
  readers[part](Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)).then(
    (value) => parentPort?.postMessage({ outcome: "read", value }),
    (error: unknown) => parentPort?.postMessage({ outcome: "failed", fault: nameOf(error) }),
  );
});

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

parentPort?.postMessage("ready");
