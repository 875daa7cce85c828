import type { ImapFlow } from "imapflow";
import { isErrorOfUnavailableDatabase } from "../database/unavailable";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { createWakeUp } from "./wake-up";
import { connect, disconnect } from "./connection";
import { createExpunging, expunge, moveTo, SET_ASIDE, TO_READ } from "./folders";
import type { MailboxLease } from "./lease";
import { isForPeople, type MailOutcome } from "./outcome";
import { createRetryDelay, type RetryDelay } from "./retry-delay";
import { MAX_BYTES } from "./receive-mail";

type Options = {
  inboxUrl: string;
  lease: MailboxLease;
  /** Throws when the mail must be fetched again. */
  receive(raw: Buffer): Promise<MailOutcome>;
  clock: Clock;
  log: Log;
  /** In ms. `retry`: after a failure, doubled each time. Second value: between two searches. */
  pauses?: { retry: number; look: number };
};

/** Well below the time of the lease. */
const PAUSES = { retry: 3_000, look: 20_000 };
/** Retries are at most about six minutes apart. */
const MAX_DOUBLINGS = 7;

/**
 * Fetches mails as they arrive, oldest first, and deletes those that are done with: what they caused is
 * committed. A failing mailbox is tried again with growing pauses; `close` waits for the current mail.
 */
export function watchMailbox({ pauses = PAUSES, log, lease, clock, ...options }: Options) {
  const stop = new AbortController();
  const expungeOld = createExpunging({ clock, log });
  const watch = async () => {
    const wakeUp = createWakeUp(stop.signal);
    for (let failures = 0; !stop.signal.aborted;) {
      try {
        const connection = { ...options, pauses, log, lease, expungeOld };
        if (await lease.acquire())
          await receiveUntilClosed(connection, stop.signal, () => (failures = 0));
      } catch (error) {
        // With `err` the log recognises an outage of the database, of which it writes a single line.
        const isOfMails = !isErrorOfUnavailableDatabase(error);
        const fields = isOfMails ? { reason: reasonOf(error) } : { err: error };
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

type ConnectionOptions = Required<Omit<Options, "clock">> & {
  expungeOld: ReturnType<typeof createExpunging>;
};

/** Receives mails until the connection ends, which servers close now and then. */
async function receiveUntilClosed(
  connection: ConnectionOptions,
  stop: AbortSignal,
  succeed: () => void,
) {
  const { inboxUrl, lease, pauses, expungeOld } = connection;
  const wakeUp = createWakeUp(stop);
  const retryDelay = createRetryDelay(pauses.look);
  try {
    const client = await connect(inboxUrl, wakeUp, stop);
    try {
      while (client.usable && (await mayContinue(lease, stop))) {
        await receiveUnseen(client, { ...connection, retryDelay }, stop);
        succeed();
        // Mails that came meanwhile were not announced.
        if (await expungeOld(client)) continue;
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

type SearchOptions = ConnectionOptions & { retryDelay: RetryDelay };

/** Receives all unseen mails. A mail that fails stays unseen and does not block the others. */
async function receiveUnseen(client: ImapFlow, look: SearchOptions, stop: AbortSignal) {
  const { receive, lease, log, retryDelay } = look;
  // Flagged ones are left to people, where the server cannot move mails.
  const found = await client.search({ seen: false, flagged: false }, { uid: true });
  for (const uid of [...(found || [])].sort((a, b) => a - b)) {
    if (!(await mayContinue(lease, stop))) return;
    if (!retryDelay.isDue(uid)) continue;
    const raw = await fetchMail(client, uid);
    if (!raw) continue;
    const outcome = await receive(raw).catch((error: unknown) => {
      retryDelay.failed(uid);
      log.warn({ err: error, mail: uid }, "mail not taken in, tried again later");
    });
    if (outcome) await finish(client, uid, outcome, log);
  }
}

/** Deletes a mail, or moves it to people, so that it is not fetched again. */
async function finish(client: ImapFlow, uid: number, outcome: MailOutcome, log: Log) {
  if (outcome.outcome === "set aside") {
    const { reason, name } = outcome;
    const folder = await moveTo(client, uid, SET_ASIDE);
    log.error({ mail: uid, messageId: name, reason, folder }, "mail set aside");
  } else if (isForPeople(outcome)) {
    const folder = await moveTo(client, uid, TO_READ);
    log.warn({ mail: uid, reason: outcome.reason, folder }, "mail is left to people to read");
  } else if (!(await expunge(client, [uid]))) {
    await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
    log.error({ mail: uid }, "mail server deletes no mail: delete it by hand");
  }
}

/** Fetches a mail, but not more than needed to see that it is too big. */
async function fetchMail(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const query = { source: { start: 0, maxLength: MAX_BYTES + 1 } };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  return message ? message.source : undefined;
}

/** A reason for the log without the server's message, which may contain names and addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("authenticationFailed" in error && error.authenticationFailed) return "sign-in refused";
  if ("tlsFailed" in error && error.tlsFailed) return "no encryption";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
