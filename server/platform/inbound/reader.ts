import { Worker } from "node:worker_threads";
import { z } from "zod/v4";
import { mailBody, mailHead, type MailBody, type MailHead } from "./mail";
import { threadSource } from "./thread-source";

/** Why a mail could not be read; it is tried once more, then set aside. */
export type UnreadableReason = "time limit" | "memory" | "exception" | "process ended";

export class UnreadableMail extends Error {
  override name = "UnreadableMail";
  /** `fault`: what the error is called, where reading failed with one. */
  constructor(
    readonly reason: UnreadableReason,
    fault?: string,
  ) {
    super(`mail cannot be read: ${fault ? `${reason}, ${fault}` : reason}`);
  }
}

export type MailReader = {
  /** Null when there are no headers. @throws UnreadableMail */
  head(head: Buffer): Promise<MailHead | null>;
  /** Null when it is too much: in parts, lines or elements. @throws UnreadableMail */
  body(raw: Buffer): Promise<MailBody | null>;
  close(): Promise<void>;
};

type Limits = { milliseconds: number; megabytes: number; idleMilliseconds: number };

/** Large mails take half a second and three times their size in memory. */
const LIMITS: Limits = { milliseconds: 10_000, megabytes: 256, idleMilliseconds: 10_000 };

const answer = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("read"), value: z.unknown() }),
  z.object({ outcome: z.literal("failed"), fault: z.string() }),
]);

/**
 * Reads mails in a worker thread, one after the other. The thread ends when a mail exceeds the
 * limits and after some idle time; it does not keep the process alive.
 */
export function createMailReader(limits: Limits = LIMITS): MailReader {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastReading: Promise<unknown> = Promise.resolve();

  const endThread = async () => {
    clearTimeout(idle);
    const ending = thread;
    thread = null;
    await ending?.terminate();
  };
  const read = async (part: Request["part"], raw: Buffer) => {
    clearTimeout(idle);
    thread ??= await startThread(limits);
    thread.ref();
    try {
      return await requestReading(thread, { part, raw: new Uint8Array(raw) }, limits.milliseconds);
    } catch (error) {
      void endThread();
      throw error;
    } finally {
      thread?.unref();
      idle = setTimeout(() => void endThread(), limits.idleMilliseconds).unref();
    }
  };
  const enqueueReading = (part: Request["part"], raw: Buffer) => {
    const reading = lastReading.then(() => read(part, raw));
    // The caller gets the failure; the next reading only waits for the end of this one.
    lastReading = reading.catch(() => undefined);
    return reading;
  };
  return {
    head: async (head) => mailHead.nullable().parse(await enqueueReading("head", head)),
    body: async (raw) => mailBody.nullable().parse(await enqueueReading("body", raw)),
    close: endThread,
  };
}

/** Starts the thread and waits until it is ready, so that the time limit covers only the mail. */
async function startThread({ megabytes }: Limits): Promise<Worker> {
  const { source, isCode } = await threadSource();
  const thread = new Worker(source, {
    eval: isCode,
    argv: [],
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
  });
  // The pending request reports the error; without any listener it would end the process.
  thread.on("error", () => undefined);
  await new Promise<unknown>((resolve, reject) => {
    thread.once("message", resolve).once("error", reject);
  });
  return thread;
}

type Request = { part: "head" | "body"; raw: Uint8Array<ArrayBuffer> };

function requestReading(thread: Worker, request: Request, milliseconds: number) {
  return new Promise<unknown>((resolve, reject) => {
    const refuse = (reason: UnreadableReason, fault?: string) =>
      settle(() => reject(new UnreadableMail(reason, fault)));
    const timer = setTimeout(() => refuse("time limit"), milliseconds);
    const onMessage = (message: unknown) => {
      const { data } = answer.safeParse(message);
      if (data?.outcome === "read") settle(() => resolve(data.value));
      else refuse("exception", data?.fault);
    };
    const onError = (error: unknown) => refuse(isOutOfMemory(error) ? "memory" : "exception");
    const onExit = () => refuse("exception");
    const settle = (done: () => void) => {
      clearTimeout(timer);
      thread.off("message", onMessage).off("error", onError).off("exit", onExit);
      done();
    };
    thread.once("message", onMessage).once("error", onError).once("exit", onExit);
    thread.postMessage(request, [request.raw.buffer]);
  });
}

const isOutOfMemory = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
