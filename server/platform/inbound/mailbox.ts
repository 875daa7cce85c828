import type { ImapFlow } from "imapflow";
import { isErrorOfUnavailableDatabase } from "../database/unavailable";
import type { Clock } from "../ports/clock";
import { MINUTE_MS } from "../ports/durations";
import type { Log } from "../ports/log";
import { createWakeUp } from "./wake-up";
import { answerOf, connect, disconnect, MailboxFault, reasonOf } from "./connection";
import { createFinishing } from "./finish";
import { createExpunging, search } from "./folders";
import type { MailboxLease } from "./lease";
import type { MailOutcome } from "./outcome";
import { createRetryDelay, type RetryDelay } from "./retry-delay";
import { MAX_BYTES } from "./receive-mail";
import { createTurns } from "./turns";

type Options = {
  inboxUrl: string;
  lease: MailboxLease;
  /** Throws when the mail must be fetched again. */
  receive(raw: Buffer): Promise<MailOutcome>;
  clock: Clock;
  log: Log;
  /**
   * In ms. `retry`: after a failure of the mailbox, doubled each time. `look`: between two searches; after a failure of
   * one mail, doubled each time. `answer`: longest wait for the end of a command. `pass`: after which mails that came
   * meanwhile are looked for between two others.
   */
  pauses?: Partial<Pauses>;
};

type Pauses = { retry: number; look: number; answer: number; pass: number };

/** `look` is well below the time of the lease; while a slow command goes on, another process may take over. */
const PAUSES: Pauses = { retry: 3_000, look: 20_000, answer: 5 * MINUTE_MS, pass: 5_000 };
/** Retries are at most about six minutes apart. */
const MAX_DOUBLINGS = 7;

/** Names the question for the senders, which may fail like a mail. */
const SENDERS = "senders";

/**
 * Fetches mails as they arrive, those of each sender oldest first, and deletes those that are done with: what they caused is
 * committed. A failing mailbox is tried again with growing pauses; `close` waits for the current mail.
 */
export function watchMailbox({ log, lease, clock, ...options }: Options) {
  const pauses = { ...PAUSES, ...options.pauses };
  const stop = new AbortController();
  const expungeOld = createExpunging({ clock, log });
  // It outlives a connection: the mail at which one ends must not be the first of the next one.
  const retryDelay = createRetryDelay(pauses.look);
  const [turns, finishing] = [createTurns(), createFinishing(log)];
  const warnOnceOfRead = once((client: ImapFlow) => warnOfRead(client, log));
  const watch = async () => {
    const wakeUp = createWakeUp(stop.signal);
    for (let failures = 0; !stop.signal.aborted;) {
      try {
        const connection = {
          ...options,
          pauses,
          log,
          lease,
          expungeOld,
          retryDelay,
          turns,
          finishing,
          warnOnceOfRead,
        };
        if (await lease.acquire())
          await receiveUntilClosed(connection, stop.signal, () => (failures = 0));
      } catch (error) {
        // With `err` the log recognises an outage of the database, of which it writes a single line.
        const isOfMails = !isErrorOfUnavailableDatabase(error);
        const fields = isOfMails ? { ...mailOf(error), reason: reasonOf(error) } : { err: error };
        log.warn(fields, "mailbox cannot be used, tried again later");
        failures = Math.min(failures + 1, MAX_DOUBLINGS);
      }
      await wakeUp.wait(pauses.retry * 2 ** failures);
    }
  };
  const watching = watch();
  return {
    async close() {
      stop.abort();
      await watching;
    },
  };
}

type ConnectionOptions = Omit<Options, "clock" | "pauses"> & {
  pauses: Pauses;
  expungeOld: ReturnType<typeof createExpunging>;
  retryDelay: RetryDelay;
  turns: ReturnType<typeof createTurns>;
  finishing: ReturnType<typeof createFinishing>;
  warnOnceOfRead(client: ImapFlow): Promise<void>;
};

/** Receives mails until the connection ends, which servers close now and then. */
async function receiveUntilClosed(
  connection: ConnectionOptions,
  stop: AbortSignal,
  succeed: () => void,
) {
  const { inboxUrl, lease, pauses, turns, expungeOld, warnOnceOfRead } = connection;
  turns.forget();
  const wakeUp = createWakeUp(stop);
  try {
    const client = await connect(inboxUrl, wakeUp, stop);
    try {
      while (client.usable && (await mayContinue(lease, stop))) {
        await answerOf(client, warnOnceOfRead(client), pauses.answer);
        const isCutShort = await receiveUnseen(client, connection, stop);
        succeed();
        // Mails that came meanwhile were not announced.
        if ((await answerOf(client, expungeOld(client), pauses.answer)) || isCutShort) continue;
        await wakeUp.wait(pauses.look);
      }
    } finally {
      await disconnect(client);
    }
  } finally {
    await lease.release();
  }
}

const mayContinue = async (lease: MailboxLease, stop: AbortSignal) =>
  !stop.aborted && (await lease.acquire());

/**
 * Receives unseen mails. One that fails stays unseen and does not block the others.
 * @returns whether it was time to look for others before all were received
 */
async function receiveUnseen(
  client: ImapFlow,
  look: ConnectionOptions,
  stop: AbortSignal,
): Promise<boolean> {
  const { lease, retryDelay, finishing, turns, pauses, log } = look;
  const since = performance.now();
  for (const uid of await findUnseen(client, look)) {
    if (!(await mayContinue(lease, stop))) return false;
    const name = nameOf(client, uid);
    turns.take(uid);
    try {
      const kept = await answerOf(client, finishing.keep(client, uid, name), pauses.answer);
      // The mark may do as little as the deletion.
      if (kept || !(await receiveOne(client, uid, look))) retryDelay.failed(name);
    } catch (error) {
      retryDelay.failed(name);
      // Of the other mails this says nothing, unless nothing more can be asked.
      if (!client.usable) throw new MailboxFault(reasonOf(error), uid);
      log.warn({ mail: uid, reason: reasonOf(error) }, "mailbox does not give or move a mail");
    }
    if (performance.now() - since >= pauses.pass) return true;
  }
  return false;
}

/** The unseen mails that are due, in the turns of their senders. */
async function findUnseen(
  client: ImapFlow,
  { retryDelay, finishing, turns, pauses }: ConnectionOptions,
): Promise<number[]> {
  // Flagged ones are left to people, where the server cannot move mails.
  const searching = search(client, { seen: false, flagged: false });
  const found = await answerOf(client, searching, pauses.answer);
  finishing.forgetOthers(found.map((uid) => nameOf(client, uid)));
  const due = found.filter((uid) => retryDelay.isDue(nameOf(client, uid)));
  if (due.length > 1 && retryDelay.isDue(SENDERS)) {
    try {
      await answerOf(client, turns.know(client, due), pauses.answer);
    } catch (error) {
      // Without the senders the oldest mail comes first.
      retryDelay.failed(SENDERS);
      if (!client.usable) throw error;
    }
  }
  return turns.order(due);
}

/**
 * @returns false when the mail could not be taken in
 * @throws Error when the server does not do what it is asked for
 */
async function receiveOne(
  client: ImapFlow,
  uid: number,
  { receive, finishing, log, pauses }: ConnectionOptions,
): Promise<boolean> {
  const raw = await answerOf(client, fetchMail(client, uid), pauses.answer);
  const outcome = await receive(raw).catch((error: unknown) => {
    log.warn({ err: error, mail: uid }, "mail not taken in, tried again later");
  });
  if (!outcome) return false;
  const finish = finishing.finish(client, uid, nameOf(client, uid), outcome);
  await answerOf(client, finish, pauses.answer);
  return true;
}

/** Somebody, or a mail program that shows the mailbox, may read a mail while the site is away. */
async function warnOfRead(client: ImapFlow, log: Log) {
  const { length: mails } = await search(client, { seen: true, flagged: false });
  if (mails > 0)
    log.warn(
      { mails },
      "mails of the inbox are marked as read: the site takes in unread ones only",
    );
}

/** Does it at the first call that succeeds. */
function once<A>(action: (argument: A) => Promise<void>): (argument: A) => Promise<void> {
  let isDone = false;
  return async (argument) => {
    if (isDone) return;
    await action(argument);
    isDone = true;
  };
}

/** Of a mail as long as the mailbox is the same (RFC 3501, 2.3.1.1). */
const nameOf = ({ mailbox }: ImapFlow, uid: number) =>
  `${mailbox ? mailbox.uidValidity : ""}:${uid}`;

/** Fetches a mail, but not more than needed to see that it is too big. */
async function fetchMail(client: ImapFlow, uid: number): Promise<Buffer> {
  const query = { source: { start: 0, maxLength: MAX_BYTES + 1 } };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  if (!message || !message.source) throw new MailboxFault("the server gives no text of the mail");
  return message.source;
}

const mailOf = (error: unknown) =>
  error instanceof MailboxFault && error.mail !== undefined ? { mail: error.mail } : {};
