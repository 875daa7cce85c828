import { Worker } from "node:worker_threads";
import { z } from "zod/v4";
import { mailBody, mailHead, type MailBody, type MailHead } from "./mail";
import { threadSource } from "./thread-source";

/** Why a mail could not be read: it is tried once more, and then set aside. */
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
  /** Null: nothing that anybody could read. @throws UnreadableMail */
  head(head: Buffer): Promise<MailHead | null>;
  /** Null: more parts than anybody writes. @throws UnreadableMail */
  body(raw: Buffer): Promise<MailBody | null>;
  close(): Promise<void>;
};

type Limits = { milliseconds: number; megabytes: number; idleMilliseconds: number };

/** The largest mails of people take half a second; reading one takes three times its size. */
const LIMITS: Limits = { milliseconds: 10_000, megabytes: 256, idleMilliseconds: 10_000 };

const answer = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("read"), value: z.unknown() }),
  z.object({ outcome: z.literal("failed"), fault: z.string() }),
]);

/**
 * Reads mails in a thread of their own, one after the other. The thread ends with the mail that goes
 * beyond its limits, and when there has been no work for a while; it keeps no process alive.
 */
export function mailReader(limits: Limits = LIMITS): MailReader {
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
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
      void end();
      throw error;
    } finally {
      thread?.unref();
      idle = setTimeout(() => void end(), limits.idleMilliseconds).unref();
    }
  };
  const inTurn = (part: Request["part"], raw: Buffer) => {
    const reading = last.then(() => read(part, raw));
    // Who asked is told; the next one only waits for the end.
    last = reading.catch(() => undefined);
    return reading;
  };
  return {
    head: async (head) => mailHead.nullable().parse(await inTurn("head", head)),
    body: async (raw) => mailBody.nullable().parse(await inTurn("body", raw)),
    close: end,
  };
}

/** The time it takes to start is not the mail's. */
async function startThread({ megabytes }: Limits): Promise<Worker> {
  const { source, isCode } = await threadSource();
  const thread = new Worker(source, {
    eval: isCode,
    argv: [],
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: megabytes, maxYoungGenerationSizeMb: 32 },
  });
  // Who asked hears of it; an error that nobody listens to would end the process.
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
