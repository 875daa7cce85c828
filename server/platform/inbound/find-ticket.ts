import addressParser from "nodemailer/lib/addressparser";
import type { Tables } from "../database/tables";
import type { World } from "../support/world";
import type { IncomingMail } from "./parse";

type Row = Tables["ticket"];

/** Whom the server brought it to stands before whom it was written to. */
const RECIPIENTS = ["delivered-to", "x-original-to", "to", "cc"];
/** The mail that is answered stands last; nobody's thread has more. */
const MAX_REFERENCES = 50;
const OF_OURS = /<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})@/g;
const CAUSE = /^(answer|ticket):([\w-]+)$/;

/** By the tagged address it went to; otherwise, and only then, by the mail of ours it answers. */
export async function findTicketOf(world: World, mail: IncomingMail): Promise<Row | undefined> {
  const uid = addressedTicket(world, mail) ?? (await answeredTicket(world, mail));
  if (!uid) return undefined;
  return world.db.selectFrom("ticket").selectAll().where("uid", "=", uid).executeTakeFirst();
}

function addressedTicket({ replies }: World, { headers }: IncomingMail): string | undefined {
  const tickets = RECIPIENTS.flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => addressParser(value, { flatten: true }))
    .map(({ address }) => replies?.ticketOf(address));
  return tickets.find((uid) => typeof uid === "string");
}

async function answeredTicket({ db }: World, { headers }: IncomingMail) {
  const uids = ["references", "in-reply-to"]
    .flatMap((name) => headers.get(name) ?? [])
    .flatMap((value) => [...value.toLowerCase().matchAll(OF_OURS)].flatMap(([, uid]) => uid ?? []))
    .slice(-MAX_REFERENCES);
  if (uids.length === 0) return undefined;
  const mails = await db
    .selectFrom("mail")
    .select(["uid", "key"])
    .where("uid", "in", uids)
    .execute();
  const keys = uids.toReversed().map((uid) => mails.find((mail) => mail.uid === uid)?.key);
  return ticketOfCause({ db }, keys.find((key) => key && CAUSE.test(key)) ?? "");
}

/** The key of a mail names its cause: an answer, or the ticket itself. */
async function ticketOfCause({ db }: Pick<World, "db">, key: string) {
  const [, kind, uid = ""] = CAUSE.exec(key) ?? [];
  if (kind !== "answer") return uid;
  const message = await db
    .selectFrom("ticket_message")
    .select("ticket_uid")
    .where("uid", "=", uid)
    .executeTakeFirst();
  return message?.ticket_uid;
}
