import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { composeMail } from "./compose";
import type { Letter } from "./letters";

/** Kind of the job that sends one mail of the outbox. */
export const SEND_MAIL = "mail.send";

/**
 * Puts a mail into the outbox in the caller's transaction: it is sent exactly when its cause is
 * committed. A second mail with the same `key` is ignored.
 * @param mail `sendAt`: the earliest time of sending
 */
export async function sendMail(
  db: Database,
  clock: Clock,
  mail: {
    key: string;
    to: string;
    letter: Letter;
    replyTo?: string | undefined;
    sendAt?: Date | undefined;
  },
): Promise<void> {
  const now = clock.now();
  const { subject, text, html } = composeMail(mail.letter);
  const uid = newUid();
  const inserted = await db
    .insertInto("mail")
    .values({
      uid,
      key: mail.key,
      recipient: mail.to,
      subject,
      text,
      html,
      created_at: now.toISOString(),
      sent_at: null,
      reply_to: mail.replyTo ?? null,
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (!inserted) return;
  const runAt = mail.sendAt ?? now;
  await enqueue(db, { kind: SEND_MAIL, key: `${SEND_MAIL}:${uid}`, payload: { uid }, runAt });
}

/** Deletes unsent mails whose content is no longer true. */
export async function deleteUnsentMails(db: Database, keys: readonly string[]) {
  await db.deleteFrom("mail").where("key", "in", keys).where("sent_at", "is", null).execute();
}
