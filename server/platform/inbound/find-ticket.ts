import type { Tables } from "../database/tables";
import type { SupportContext } from "../support/context";
import type { MailHead } from "./mail";

type Row = Tables["ticket"];

const CAUSE = /^(answer|ticket):([\w-]+)$/;

/** Finds the ticket by the tagged recipient address, otherwise by our mail that it answers. */
export async function findTicketOf(
  context: SupportContext,
  mail: MailHead,
): Promise<Row | undefined> {
  const uid = findByAddress(context, mail) ?? (await findByAnsweredMail(context, mail));
  if (!uid) return undefined;
  return context.db.selectFrom("ticket").selectAll().where("uid", "=", uid).executeTakeFirst();
}

function findByAddress({ replies }: SupportContext, { recipients }: MailHead): string | undefined {
  const tickets = recipients.map((address) => replies?.ticketOf(address));
  return tickets.find((uid) => typeof uid === "string");
}

async function findByAnsweredMail({ db }: SupportContext, { answered }: MailHead) {
  if (answered.length === 0) return undefined;
  const mails = await db
    .selectFrom("mail")
    .select(["uid", "key"])
    .where("uid", "in", answered)
    .execute();
  const keys = answered.toReversed().map((uid) => mails.find((mail) => mail.uid === uid)?.key);
  return findByMailKey({ db }, keys.find((key) => key && CAUSE.test(key)) ?? "");
}

/** Finds the ticket by the key of our mail, which names an answer or the ticket. */
async function findByMailKey({ db }: Pick<SupportContext, "db">, key: string) {
  const [, kind, uid = ""] = CAUSE.exec(key) ?? [];
  if (kind !== "answer") return uid;
  const message = await db
    .selectFrom("ticket_message")
    .select("ticket_uid")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return message?.ticket_uid;
}
