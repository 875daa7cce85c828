import { DAY_MS, MINUTE_MS } from "../ports/durations";
import { z } from "zod/v4";
import { counts } from "../../counts";
import { isoBefore } from "../ports/age";
import type { Database } from "../database/tables";
import { JobWaiting, type Worker } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import { deleteUnsentMails, withoutSecrets } from "./outbox";
import { formatDay, formatMoment, LIMIT_DAY_MARK, LIMIT_MARK } from "./format";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type MailSender,
  type MailTransport,
} from "../ports/mail-transport";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  transport: MailTransport;
  from: MailSender;
  timed: readonly TimedMails[];
};

/** The mails whose text names a time limit, which may count from their own sending. */
export type TimedMails = {
  /**
   * The limit, if the mail with this key were sent at that time; null for all other mails. One that is
   * over already keeps the mail back. `void`: the mail says what is no longer true, and is deleted.
   */
  findLimit(key: string, sentAt: Date): Promise<Date | "void" | null>;
  /** Called in the transaction that records the sending. */
  recordSent(transaction: Database, key: string, sentAt: Date): Promise<void>;
};

/**
 * How long a refused or dropped mail is retried while the server takes others; RFC 5321, 4.5.4.1 asks for four to
 * five days. A policy or a quota may change again, so that only what the mailbox itself refuses is given up soon.
 */
const RETRY_MS = { permanent: 10 * MINUTE_MS, temporary: 5 * DAY_MS };

/** Prevents automatic answers (RFC 3834). */
const HEADERS = { "Auto-Submitted": "auto-generated", "Content-Language": "fr" };

const work = z.object({ uid: z.string() });

/** Longer than a server may take to answer for a mail that it has (RFC 5321, 4.5.3.2.6). */
const ANSWER_MS = 11 * MINUTE_MS;

const LOOK_AGAIN_MS = 1000;

/** Most tries that no server confirmed: the mail may have been delivered each time. */
const MAX_UNANSWERED = 3;

const GIVEN_UP = "mail given up: tell its person by another way what a contract's mail says";

/** Age at which an unsent mail is given up: its content is out of date, and its links have expired. */
export const UNSENT_MAIL = { days: 30 };

/**
 * Sends one mail of the outbox, once. If the process dies before the sending is recorded, the mail
 * is sent again with the same Message-ID. A mail that the server has and does not answer for is left to
 * it, and the other mails go on.
 * @throws Error to retry the job: always while the server is unavailable, and for a limited time
 *   when it refuses or drops this mail
 * @throws JobWaiting while the limit that the mail would name is over
 */
export function createSendingWorker(options: Options): Worker {
  const { db, clock, log, transport, from, timed } = options;
  return async (payload) => {
    const { uid } = work.parse(payload);
    const mail = await findUnsent(db, uid);
    if (!mail) return forgetWithdrawn(db, uid);
    const { key, recipient: to, subject, reply_to } = mail;
    const sentAt = clock.now();
    const named = key === null ? null : await findNamed(timed, key, sentAt);
    if (named?.limit === "void") {
      await deleteUnsentMails(db, [named.key]);
      // The job of this very mail runs, which keeps its copy.
      return mail.unanswered === 0 ? forgetWithdrawn(db, uid) : undefined;
    }
    const limit = named && named.limit.toISOString();
    const [text, html] = [fillLimit(mail.text, limit), fillLimit(mail.html, limit)];
    const answered = reply_to === null ? {} : { replyTo: reply_to };
    const date = new Date(mail.created_at);
    const confirm = async () => {
      await db.transaction().execute(async (db) => {
        // This comes first because it locks the account. Undoing a notice locks account and mail in the same order.
        if (named) await named.mails.recordSent(db, named.key, sentAt);
        await recordSent(db, uid, clock.now());
        if (limit !== null) await fillArchived(db, uid, text, limit);
      });
      counts.mails.add({ outcome: "sent" });
    };
    const giveUp = async (fields: { err?: unknown; tries?: number }, words: string) => {
      const about = await recordGivenUp(db, uid, clock.now(), fields.err);
      if (limit !== null) await fillArchived(db, uid, text, limit);
      counts.mails.add({ outcome: "given_up" });
      log.error({ ...fields, mail: uid, ...about }, words);
    };
    const isRefusedForGood = async (error: unknown) => {
      if (mail.unanswered === 0) await forgetWithdrawn(db, uid);
      return shouldGiveUp(error, date, clock.now());
    };
    if (date.toISOString() <= isoBefore(clock, UNSENT_MAIL)) return giveUp({}, GIVEN_UP);
    if (limit !== null && limit <= sentAt.toISOString()) throw newOverdue(sentAt);
    if (mail.unanswered >= MAX_UNANSWERED) {
      const tries = mail.unanswered;
      return giveUp({ tries }, "mail given up unconfirmed: it may have been delivered each time");
    }
    try {
      const words = { subject, text, html };
      await transport.send({ uid, from, to, date, ...words, ...answered, headers: HEADERS });
    } catch (error) {
      if (error instanceof MailUnanswered) {
        if (limit !== null) await archiveText(db, uid, text);
        const refuse = async (refusal: unknown) => {
          await countUnanswered(db, uid, -1);
          if (await isRefusedForGood(refusal)) await giveUp({ err: refusal }, GIVEN_UP);
        };
        return leaveToServer(options, error, uid, { confirm, refuse });
      }
      if (!(await isRefusedForGood(error))) throw error;
      return giveUp({ err: error }, GIVEN_UP);
    }
    await confirm();
  };
}

/** Deletes the archived copy of a mail that was withdrawn while its job ran, and that no server took. */
async function forgetWithdrawn(db: Database, uid: string) {
  await db
    .deleteFrom("contract_mail")
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .where("uid", "not in", db.selectFrom("mail").select("uid").where("uid", "=", uid))
    .execute();
}

/** The limit that a mail names, with the mails that it belongs to; null for one that names none. */
async function findNamed(timed: readonly TimedMails[], key: string, sentAt: Date) {
  for (const mails of timed) {
    const limit = await mails.findLimit(key, sentAt);
    if (limit !== null) return { key, limit, mails };
  }
  return null;
}

/**
 * A mail whose limit is over before it is sent offers what is not to be had any more. What it announces is
 * due, and replaces it.
 */
const newOverdue = (now: Date) =>
  new JobWaiting("What the mail announces is due", new Date(now.getTime() + LOOK_AGAIN_MS));

type Late = { confirm: () => Promise<void>; refuse: (error: unknown) => Promise<void> };

/**
 * A refusal that comes late is one like any other. After any other end the mail may have been delivered.
 * @throws JobWaiting until the server must have answered, unless the mail was withdrawn meanwhile
 */
async function leaveToServer(
  { db, clock, log }: Options,
  { answer, message }: MailUnanswered,
  uid: string,
  { confirm, refuse }: Late,
): Promise<void> {
  const isStillWanted = await countUnanswered(db, uid, 1);
  log.warn({ mail: uid }, "the mail server has a mail and is slow to confirm it");
  answer
    .then(confirm, (error: unknown) => {
      if (error instanceof MailRefused || error instanceof JobWaiting) return refuse(error);
      throw error;
    })
    .catch((error: unknown) =>
      log.warn(
        { mail: uid, reason: String(error) },
        "a mail was not confirmed: it may have been delivered, and is tried again",
      ),
    );
  if (isStillWanted) throw new JobWaiting(message, new Date(clock.now().getTime() + ANSWER_MS));
}

/** Counts the tries that no server has confirmed; false when there is no such mail any more. */
async function countUnanswered(db: Database, uid: string, step: 1 | -1): Promise<boolean> {
  const counted = await db
    .updateTable("mail")
    .set((e) => ({ unanswered: e("unanswered", "+", step) }))
    .where("uid", "=", uid)
    .returning("uid")
    .execute();
  return counted.length > 0;
}

function shouldGiveUp(error: unknown, writtenAt: Date, now: Date): boolean {
  if (!(error instanceof MailDropped || error instanceof MailRefused)) return false;
  const { since = writtenAt } = error;
  const start = Math.max(since.getTime(), writtenAt.getTime());
  const retryMs = isOfMailbox(error) ? RETRY_MS.permanent : RETRY_MS.temporary;
  return now.getTime() - start >= retryMs;
}

/** Of a mail that was refused in an outage it cannot be told: the server's reason then may have come back. */
const isOfMailbox = (error: unknown): error is MailRefused =>
  error instanceof MailRefused && error.permanent && !error.isPolicy && !error.wasInOutage;

/** The recipient of a mail whose content was refused may be told otherwise; 5.1 and 5.2 are of an address (RFC 3463). */
const isOfAddress = (error: unknown) =>
  isOfMailbox(error) &&
  (error.refusal.command !== "DATA" || /^5\.[12]\./.test(error.refusal.enhancedCode ?? ""));

async function findUnsent(db: Database, uid: string) {
  return db
    .selectFrom("mail")
    .select(["key", "recipient", "subject", "text", "html", "created_at", "reply_to", "unanswered"])
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .where("given_up_at", "is", null)
    .executeTakeFirst();
}

/** A mail that was composed before its limit was known has a mark in its place. */
const fillLimit = (text: string, limit: string | null) =>
  limit === null
    ? text
    : text.replaceAll(LIMIT_MARK, formatMoment(limit)).replaceAll(LIMIT_DAY_MARK, formatDay(limit));

/** The copies in the contract's archive, one of them for its export, name the same limit as the mail. */
async function fillArchived(db: Database, uid: string, text: string, limit: string) {
  await archiveText(db, uid, text);
  const copy = await db
    .selectFrom("contract_mail")
    .select("export_text")
    .where("uid", "=", uid)
    .executeTakeFirst();
  if (!copy?.export_text) return;
  const export_text = fillLimit(copy.export_text, limit);
  await db.updateTable("contract_mail").set({ export_text }).where("uid", "=", uid).execute();
}

/**
 * Archives the text as it was sent last. A try that the server has not confirmed may have been delivered, and
 * the mail may be deleted before another one.
 */
async function archiveText(db: Database, uid: string, text: string) {
  await db
    .updateTable("contract_mail")
    .set({ text: withoutSecrets(text) })
    .where("uid", "=", uid)
    .execute();
}

/** A mail that is not to be sent again keeps no text, because its links contain secrets. */
const NO_TEXT = { text: "", html: "" };

async function recordSent(db: Database, uid: string, now: Date) {
  const sent_at = now.toISOString();
  await db
    .updateTable("mail")
    .set({ sent_at, ...NO_TEXT })
    .where("uid", "=", uid)
    .execute();
  await db.updateTable("contract_mail").set({ sent_at }).where("uid", "=", uid).execute();
}

/**
 * Records that the mail is given up, and whether its address is the reason. Returns the contract that it
 * was about, and its kind, for the operator.
 */
async function recordGivenUp(db: Database, uid: string, now: Date, error: unknown) {
  const given_up_at = now.toISOString();
  const refused_at = isOfAddress(error) ? given_up_at : null;
  await db
    .updateTable("mail")
    .set({ given_up_at, refused_at, ...NO_TEXT })
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .execute();
  return db
    .updateTable("contract_mail")
    .set({ given_up_at })
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .returning(["subscription_uid as contract", "kind"])
    .executeTakeFirst();
}
