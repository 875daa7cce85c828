import type { ImapFlow } from "imapflow";
import type { Log } from "../ports/log";
import { newWakeUp } from "./wake-up";
import { connect, leave } from "./connection";
import type { MailboxLease } from "./lease";
import type { MailOutcome } from "./outcome";
import { newRetryDelay, type RetryDelay } from "./retry-delay";
import { MAX_BYTES } from "./receive-mail";
import { setAside } from "./set-aside";

type Options = {
  inboxUrl: string;
  lease: MailboxLease;
  /** Throws when the mail has to come again. */
  receive(raw: Buffer): Promise<MailOutcome>;
  log: Log;
  /** In ms: until the next attempt, doubled each time; until the next look. */
  pauses?: { retry: number; look: number };
};

/** Well below the lease. */
const PAUSES = { retry: 3_000, look: 20_000 };
/** Up to six minutes. */
const MAX_DOUBLINGS = 7;

/**
 * Fetches mails as they come, oldest first, and marks those that are done with as seen. A mailbox
 * that cannot be used is tried again, ever more rarely; `close` waits for the mail under way.
 */
export function watchMailbox({ pauses = PAUSES, log, lease, ...options }: Options) {
  const stop = new AbortController();
  const watch = async () => {
    const wakeUp = newWakeUp(stop.signal);
    for (let failures = 0; !stop.signal.aborted;) {
      try {
        const visit = { ...options, pauses, log, lease };
        if (await lease.take()) await stay(visit, stop.signal, () => (failures = 0));
      } catch (error) {
        log.warn({ reason: reasonOf(error) }, "mailbox cannot be used, tried again later");
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

type Visit = Required<Options>;

/** Until the connection ends: servers break it now and then. */
async function stay(visit: Visit, stop: AbortSignal, succeed: () => void) {
  const { inboxUrl, lease, pauses } = visit;
  const wakeUp = newWakeUp(stop);
  const retryDelay = newRetryDelay(pauses.look);
  try {
    const client = await connect(inboxUrl, wakeUp, stop);
    try {
      while (client.usable && (await mayGoOn(lease, stop))) {
        await takeUnseen(client, { ...visit, retryDelay }, stop);
        succeed();
        await wakeUp.wait(pauses.look);
      }
    } finally {
      await leave(client);
    }
  } finally {
    await lease.release();
  }
}

const mayGoOn = async (lease: MailboxLease, stop: AbortSignal) =>
  !stop.aborted && (await lease.take());

type Look = Visit & { retryDelay: RetryDelay };

/** One that cannot be taken in now stays unseen and holds nobody up. */
async function takeUnseen(client: ImapFlow, look: Look, stop: AbortSignal) {
  const { receive, lease, log, retryDelay } = look;
  const found = await client.search({ seen: false }, { uid: true });
  for (const uid of [...(found || [])].sort((a, b) => a - b)) {
    if (!(await mayGoOn(lease, stop))) return;
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

/** What is done with is not fetched again. */
async function finish(client: ImapFlow, uid: number, outcome: MailOutcome, log: Log) {
  if (outcome.outcome !== "set aside") {
    await client.messageFlagsAdd(String(uid), ["\\Seen"], { uid: true });
    return;
  }
  const { reason, name } = outcome;
  const folder = await setAside(client, uid);
  log.error({ mail: uid, messageId: name, reason, folder }, "mail set aside");
}

/** As much as it takes to see that it is too big. */
async function fetchMail(client: ImapFlow, uid: number): Promise<Buffer | undefined> {
  const query = { source: { start: 0, maxLength: MAX_BYTES + 1 } };
  const message = await client.fetchOne(String(uid), query, { uid: true });
  return message ? message.source : undefined;
}

/** Without what the server said: it may repeat names and addresses. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  if ("authenticationFailed" in error && error.authenticationFailed) return "sign-in refused";
  if ("tlsFailed" in error && error.tlsFailed) return "no encryption";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}
