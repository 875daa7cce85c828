import type { Tables } from "../database/tables";
import type { SupportContext } from "../support/context";
import type { MailHead } from "./mail";

type Row = Tables["ticket"];

const CAUSE = /^(answer|ticket):([\w-]+)$/;

/** By the tagged address it went to; otherwise, and only then, by the mail of ours it answers. */
export async function findTicketOf(
  context: SupportContext,
  mail: MailHead,
): Promise<Row | undefined> {
  const uid = addressedTicket(context, mail) ?? (await answeredTicket(context, mail));
  if (!uid) return undefined;
  return context.db.selectFrom("ticket").selectAll().where("uid", "=", uid).executeTakeFirst();
}

function addressedTicket(
  { replies }: SupportContext,
  { recipients }: MailHead,
): string | undefined {
  const tickets = recipients.map((address) => replies?.ticketOf(address));
  return tickets.find((uid) => typeof uid === "string");
}

async function answeredTicket({ db }: SupportContext, { answered }: MailHead) {
  if (answered.length === 0) return undefined;
  const mails = await db
    .selectFrom("mail")
    .select(["uid", "key"])
    .where("uid", "in", answered)
    .execute();
  const keys = answered.toReversed().map((uid) => mails.find((mail) => mail.uid === uid)?.key);
  return ticketOfCause({ db }, keys.find((key) => key && CAUSE.test(key)) ?? "");
}

/** The key of a mail names its cause: an answer, or the ticket itself. */
async function ticketOfCause({ db }: Pick<SupportContext, "db">, key: string) {
  const [, kind, uid = ""] = CAUSE.exec(key) ?? [];
  if (kind !== "answer") return uid;
  const message = await db
    .selectFrom("ticket_message")
    .select("ticket_uid")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return message?.ticket_uid;
}
