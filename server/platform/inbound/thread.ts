import { parentPort } from "node:worker_threads";
import { z } from "zod/v4";
import { readBody, readHead } from "./parse";

const request = z.object({ part: z.enum(["head", "body"]), raw: z.instanceof(Uint8Array) });

/**
 * The worker thread that reads mails, so that a bad mail cannot block the site. Error messages are not
 * passed on, because they may contain text of the mail.
 */
const readers = { head: readHead, body: readBody };

parentPort?.on("message", (message: unknown) => {
  const { part, raw } = request.parse(message);
  readers[part](Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)).then(
    (value) => parentPort?.postMessage({ outcome: "read", value }),
    () => parentPort?.postMessage({ outcome: "failed" }),
  );
});

parentPort?.postMessage("ready");
