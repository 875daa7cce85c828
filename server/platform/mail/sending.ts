import { DAY_MS, MINUTE_MS } from "../ports/durations";
import { z } from "zod/v4";
import type { Database } from "../database/tables";
import type { Worker } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import {
  MailDropped,
  MailRefused,
  type MailSender,
  type MailTransport,
} from "../ports/mail-transport";

type Options = {
  db: Database;
  clock: Clock;
  log: Log;
  transport: MailTransport;
  from: MailSender;
};

/**
 * How long a mail is tried again that is refused, or that the server drops while it takes others: RFC
 * 5321, 4.5.4.1 asks for four to five days.
 */
const PATIENCE_MS = { permanent: 10 * MINUTE_MS, temporary: 5 * DAY_MS };

/** RFC 3834: keeps answering machines from answering. */
const HEADERS = { "Auto-Submitted": "auto-generated", "Content-Language": "fr" };

const work = z.object({ uid: z.string() });

/**
 * Sends one mail of the outbox, once. If the process dies between the sending and its record, the
 * mail goes again under the same Message-ID.
 * @throws Error for the job table to try again: as long as the server cannot be used at all, and
 *   for a while when it refuses or drops this mail
 */
export function sendingWorker({ db, clock, log, transport, from }: Options): Worker {
  return async (payload) => {
    const { uid } = work.parse(payload);
    const mail = await findUnsent(db, uid);
    if (!mail) return;
    const { recipient: to, subject, text, html, reply_to } = mail;
    const answered = reply_to === null ? {} : { replyTo: reply_to };
    const date = new Date(mail.created_at);
    try {
      const words = { subject, text, html };
      await transport.send({ uid, from, to, date, ...words, ...answered, headers: HEADERS });
    } catch (error) {
      if (!isHopeless(error, clock.now().getTime() - date.getTime())) throw error;
      log.error({ err: error, mail: uid }, "mail given up");
      return;
    }
    await recordSent(db, uid, clock.now());
  };
}

function isHopeless(error: unknown, age: number): boolean {
  if (error instanceof MailDropped) return age >= PATIENCE_MS.temporary;
  if (!(error instanceof MailRefused)) return false;
  return age >= (error.permanent ? PATIENCE_MS.permanent : PATIENCE_MS.temporary);
}

async function findUnsent(db: Database, uid: string) {
  return db
    .selectFrom("mail")
    .select(["recipient", "subject", "text", "html", "created_at", "reply_to"])
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .executeTakeFirst();
}

/** What is sent is not kept: its links open doors. */
async function recordSent(db: Database, uid: string, now: Date) {
  await db
    .updateTable("mail")
    .set({ sent_at: now.toISOString(), text: "", html: "" })
    .where("uid", "=", uid)
    .execute();
}
