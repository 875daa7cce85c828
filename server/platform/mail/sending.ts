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
 * How long a refused or dropped mail is retried; RFC 5321, 4.5.4.1 asks for four to five days.
 */
const RETRY_MS = { permanent: 10 * MINUTE_MS, temporary: 5 * DAY_MS };

/** Prevents automatic answers (RFC 3834). */
const HEADERS = { "Auto-Submitted": "auto-generated", "Content-Language": "fr" };

const work = z.object({ uid: z.string() });

/**
 * Sends one mail of the outbox, once. If the process dies before the sending is recorded, the mail
 * is sent again with the same Message-ID.
 * @throws Error to retry the job: always while the server is unavailable, and for a limited time
 *   when it refuses or drops this mail
 */
export function createSendingWorker({ db, clock, log, transport, from }: Options): Worker {
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
      if (!shouldGiveUp(error, clock.now().getTime() - date.getTime())) throw error;
      log.error({ err: error, mail: uid }, "mail given up");
      return;
    }
    await recordSent(db, uid, clock.now());
  };
}

function shouldGiveUp(error: unknown, age: number): boolean {
  if (error instanceof MailDropped) return age >= RETRY_MS.temporary;
  if (!(error instanceof MailRefused)) return false;
  return age >= (error.permanent ? RETRY_MS.permanent : RETRY_MS.temporary);
}

async function findUnsent(db: Database, uid: string) {
  return db
    .selectFrom("mail")
    .select(["recipient", "subject", "text", "html", "created_at", "reply_to"])
    .where("uid", "=", uid)
    .where("sent_at", "is", null)
    .executeTakeFirst();
}

/** Records the sending and deletes the text, because its links contain secrets. */
async function recordSent(db: Database, uid: string, now: Date) {
  await db
    .updateTable("mail")
    .set({ sent_at: now.toISOString(), text: "", html: "" })
    .where("uid", "=", uid)
    .execute();
}
