import { Agent, request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { encodeCharacter, type HostileRequest, type RawRequest, type SentRequest } from "./request";
import type { Site } from "../support/site";
import type { Roster } from "./roster";
import { processTime, stopwatch, type Taken } from "./stopwatch";

/** A request without answer after this time counts as hanging, even on a busy machine. */
const PATIENCE_MS = 10_000;

export type Answer = { status: number; headers: Record<string, string>; body: string };

/** The outcome of a request: an answer, or why there is none. */
export type Outcome = Taken & ({ kind: "answer"; answer: Answer } | { kind: Silence });
type Silence = "no answer in time" | "connection lost";

export type Door = { port: number; agent: Agent; pid: () => number | undefined };

export const doorTo = ({ origin, pid }: Site, sockets: number): Door => ({
  pid,
  port: Number(new URL(origin).port),
  agent: new Agent({ keepAlive: true, maxSockets: sockets }),
});

export async function send(
  door: Door,
  roster: Roster,
  request: HostileRequest,
  address: string,
): Promise<Outcome> {
  const taken = stopwatch(door.pid, processTime);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const sent =
    request.kind === "raw"
      ? sendRaw(door, request, signal)
      : sendOverAgent(door, roster, request, address, signal);
  const answer = await sent.catch(() => null);
  const times = taken();
  if (answer) return { kind: "answer", answer, ...times };
  return { kind: signal.aborted ? "no answer in time" : "connection lost", ...times };
}

function sendOverAgent(
  door: Door,
  roster: Roster,
  request: SentRequest,
  address: string,
  signal: AbortSignal,
): Promise<Answer> {
  const { port, agent } = door;
  const { sender, method, encoding } = request;
  const path = pathOf(roster.fill(request.path, sender));
  const body = Buffer.from(roster.fill(request.body, sender), encoding);
  const headers = { ...roster.credentials(sender, path), ...request.headers };
  const written = Object.entries(headers).map(([name, value]) => [
    name,
    headerOf(roster.fill(value, sender)),
  ]);
  return new Promise((resolve, reject) => {
    const options = {
      host: "127.0.0.1",
      port,
      agent,
      method,
      path,
      signal,
      headers: {
        host: `localhost:${port}`,
        ...Object.fromEntries(written),
        "x-forwarded-for": address,
        ...(body.length && { "content-length": body.length }),
      },
    };
    const call = httpRequest(options, (response) => {
      const { statusCode: status = 0 } = response;
      const head = { status, headers: flat(response.headers) };
      // A stream of events has no end. Its head counts as the answer.
      if (head.headers["content-type"]?.startsWith("text/event-stream")) {
        resolve({ ...head, body: "" });
        call.destroy();
        return;
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk)).on("error", reject);
      response.on("end", () => resolve({ ...head, body: textOf(Buffer.concat(chunks), head) }));
    });
    // A server may answer before it has read the whole body. That answer counts, not the error.
    call.on("error", (error) => {
      // A kept connection may close just before it is used. The request did not arrive and is sent again.
      const isGone = "code" in error && (error.code === "ECONNRESET" || error.code === "EPIPE");
      const isUnsent = call.reusedSocket && !signal.aborted && isGone;
      if (isUnsent) sendOverAgent(door, roster, request, address, signal).then(resolve, reject);
      else void wait(SETTLE_MS).then(() => reject(error));
    });
    call.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: flat(response.headers), body: "" });
    });
    call.end(body);
  });
}

/** Decodes the body, which is compressed when the request accepted that. */
function textOf(bytes: Buffer, { headers }: Pick<Answer, "headers">): string {
  if (bytes.length === 0) return "";
  const { "content-encoding": encoding } = headers;
  if (encoding === "br") return brotliDecompressSync(bytes).toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

const SETTLE_MS = 20;

function sendRaw({ port }: Door, { text }: RawRequest, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: "127.0.0.1", port });
    const end = () => {
      socket.destroy();
      const answer = readRaw(Buffer.concat(chunks).toString());
      if (answer) resolve(answer);
      else reject(new Error("Not an answer"));
    };
    signal.addEventListener("abort", end);
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", end).on("error", end);
    // Ends the request even when it announces a longer body.
    socket.end(text, "latin1");
  });
}

/** An empty body, sent in chunks. */
const NO_CHUNK = "0\r\n\r\n";

function readRaw(whole: string): Answer | null {
  const [head = "", ...body] = whole.split("\r\n\r\n");
  const [line = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(line)?.[1]);
  if (!status) return null;
  const headers = lines.map((one) => {
    const [name = "", ...value] = one.split(":");
    return [name.toLowerCase(), value.join(":").trim()];
  });
  const text = body.join("\r\n\r\n");
  return { status, headers: Object.fromEntries(headers), body: text === NO_CHUNK ? "" : text };
}

/** Node's client refuses these characters in request lines and headers. */
const pathOf = (text: string) => text.replace(/[^\u0021-\u00ff]/gu, encodeCharacter);
const headerOf = (text: string) => text.replace(/[^\t\u0020-\u007e\u0080-\u00ff]/gu, "?");

function flat(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(", ")]);
  return Object.fromEntries(entries);
}
