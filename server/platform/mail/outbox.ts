import type { Database } from "../database/tables";
import { enqueue } from "../jobs/queue";
import type { Clock } from "../ports/clock";
import { newUid } from "../ports/ids";
import { composeMail } from "./compose";
import type { Letter } from "./letters";

/** Kind of the job that hands one mail of the outbox to the transport. */
export const SENDING = "mail.send";

/**
 * Puts a mail into the outbox inside the caller's transaction: it is sent if, and only if, its cause
 * holds. The same `key` is sent once.
 * @param mail `sendAt`: where it must not go out yet
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
  await enqueue(db, { kind: SENDING, key: `${SENDING}:${uid}`, payload: { uid }, runAt });
}

/** What became untrue before it was sent is not sent. */
export async function withdrawMails(db: Database, keys: readonly string[]) {
  await db.deleteFrom("mail").where("key", "in", keys).where("sent_at", "is", null).execute();
}
