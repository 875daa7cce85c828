import type { SelectQueryBuilder } from "kysely";
import type { Database, Tables } from "../database/tables";
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
    /** The contract it is about: the archive of that contract keeps a copy. */
    contract?: string | undefined;
    /** The letter as the export gives it, where it must not hold what somebody else typed. */
    exported?: Letter | undefined;
  },
): Promise<void> {
  const now = clock.now();
  const runAt = mail.sendAt ?? now;
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
      // The time after which an unsent mail is given up begins here.
      created_at: runAt.toISOString(),
      sent_at: null,
      given_up_at: null,
      refused_at: null,
      reply_to: mail.replyTo ?? answersTo(mail),
    })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("uid")
    .executeTakeFirst();
  if (!inserted) return;
  if (mail.contract !== undefined) {
    await db
      .insertInto("contract_mail")
      .values({
        uid,
        subscription_uid: mail.contract,
        kind: mail.letter.kind,
        created_at: now.toISOString(),
        subject,
        text: withoutSecrets(text),
        export_text: mail.exported ? withoutSecrets(composeMail(mail.exported).text) : null,
        sent_at: null,
        given_up_at: null,
      })
      .execute();
  }
  await enqueue(db, { kind: SEND_MAIL, key: sendingKey(uid), payload: { uid }, runAt });
}

/** The reply address of mails about a contract: answers, such as the model form for withdrawals, are read by people. */
const answersTo = ({ contract, letter }: { contract?: string | undefined; letter: Letter }) =>
  contract === undefined ? null : letter.site.answersTo;

/** Links with secrets give access for as long as they are valid, so that no copy may hold them. */
export const withoutSecrets = (text: string) => text.replace(/([?&](?:token|t)=)[\w-]+/g, "$1…");

/** Sends an unsent mail at another time. */
export async function moveMail(db: Database, key: string, sendAt: Date) {
  const mail = await findUnsent(db, key);
  if (!mail) return;
  const created_at = sendAt.toISOString();
  await db.updateTable("mail").set({ created_at }).where("uid", "=", mail.uid).execute();
  await db
    .updateTable("job")
    .set({ run_at: sendAt.toISOString() })
    .where("key", "=", sendingKey(mail.uid))
    .where("done_at", "is", null)
    .execute();
}

/** Frees the key of a mail that is over for another mail. The row stays as a trace. */
export async function setMailAside(db: Database, key: string) {
  await db
    .updateTable("mail")
    .set({ key: `${key}:${newUid()}` })
    .where("key", "=", key)
    .execute();
}

/** Gives a mail another key, so that it also counts as the one which would have that key. */
export async function renameMail(db: Database, key: string, to: string) {
  await db.updateTable("mail").set({ key: to }).where("key", "=", key).execute();
}

/** Tells whether a mail is still to be sent; false once it is given up. */
export async function isMailPending(db: Database, key: string): Promise<boolean> {
  const mail = await findUnsent(db, key);
  if (!mail) return false;
  const job = await db
    .selectFrom("job")
    .select("uid")
    .where("key", "=", sendingKey(mail.uid))
    .where("done_at", "is", null)
    .executeTakeFirst();
  return job !== undefined;
}

/** State of a mail. `over`: sent, given up, or accepted by a server that did not confirm it. Null: never written. */
export async function findMailState(db: Database, key: string): Promise<"waiting" | "over" | null> {
  const mail = await db
    .selectFrom("mail")
    .select(["sent_at", "given_up_at", "unanswered"])
    .where("key", "=", key)
    .executeTakeFirst();
  if (!mail) return null;
  const isWaiting = mail.sent_at === null && mail.given_up_at === null && mail.unanswered === 0;
  return isWaiting ? "waiting" : "over";
}

/** When a mail was sent, or accepted by a server that did not confirm it. Null: it was not, or never written. */
export async function findTimeSent(db: Database, key: string): Promise<string | null> {
  const mail = await db
    .selectFrom("mail")
    .select(["sent_at", "created_at", "unanswered"])
    .where("key", "=", key)
    .executeTakeFirst();
  if (!mail) return null;
  return mail.sent_at ?? (mail.unanswered > 0 ? mail.created_at : null);
}

/** The earliest time of sending of an unsent mail. */
export async function findSendingTime(db: Database, key: string): Promise<Date | undefined> {
  const mail = await findUnsent(db, key);
  return mail && new Date(mail.created_at);
}

const findUnsent = (db: Database, key: string) =>
  db
    .selectFrom("mail")
    .select(["uid", "created_at"])
    .where("key", "=", key)
    .where("sent_at", "is", null)
    .executeTakeFirst();

/** Deletes unsent mails whose content is no longer true. */
export async function deleteUnsentMails(
  db: Database,
  keys: readonly string[] | SelectQueryBuilder<Tables, "contract_notice", { key: string }>,
) {
  // In the order in which a sending is recorded: in another one each would wait for the other.
  const deleted = await db
    .deleteFrom("mail")
    .where("key", "in", keys)
    .where("sent_at", "is", null)
    .returning(["uid", "unanswered"])
    .execute();
  if (deleted.length === 0) return;
  // Changes nothing, but locks the jobs: one that begins meanwhile finds no mail.
  const jobs = await db
    .updateTable("job")
    .set((e) => ({ kind: e.ref("kind") }))
    .where(
      "key",
      "in",
      deleted.map(({ uid }) => sendingKey(uid)),
    )
    .where("done_at", "is", null)
    .returning(["key", "lease_until"])
    .execute();
  const underWay = new Set(jobs.flatMap(({ key, lease_until }) => (lease_until ? [key] : [])));
  // The archive keeps what a server took without confirming it, since its person may hold it, and what is being sent.
  const isTaken = ({ uid, unanswered }: Deleted) => unanswered > 0 || underWay.has(sendingKey(uid));
  const untaken = deleted.filter((mail) => !isTaken(mail)).map(({ uid }) => uid);
  if (untaken.length > 0) {
    await db.deleteFrom("contract_mail").where("uid", "in", untaken).execute();
  }
  // A job that finds no mail deletes the copy, as of a mail that it was about to send.
  const unconfirmed = deleted.filter(({ unanswered }) => unanswered > 0);
  if (unconfirmed.length > 0) {
    await db
      .deleteFrom("job")
      .where(
        "key",
        "in",
        unconfirmed.map(({ uid }) => sendingKey(uid)),
      )
      .execute();
  }
}

type Deleted = { uid: string; unanswered: number };

/** Key of the job that sends a mail. */
const sendingKey = (uid: string) => `${SEND_MAIL}:${uid}`;

/** The number of mails that were tried and not taken, and wait for another try. */
export async function countFailingMails(db: Database): Promise<number> {
  const failing = await db
    .selectFrom("job")
    .select("uid")
    .where("kind", "=", SEND_MAIL)
    .where("done_at", "is", null)
    .where("error", "is not", null)
    .execute();
  return failing.length;
}
