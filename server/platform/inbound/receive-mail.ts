import { isAddress } from "../mail/sender";
import { receiveReply } from "../support/receive-reply";
import { isAutomatic } from "./automatic";
import { replyIn } from "./cut/reply";
import { findTicketOf } from "./find-ticket";
import { tellOfAttachments, tellOfRefusal, type Reply } from "./letters";
import type { MailOutcome, RefusalReason, SilentReason } from "./outcome";
import { parseMail, type IncomingMail } from "./parse";
import type { InboundWorld } from "./world";

/** A bigger mail is not read beyond its head. */
export const MAX_BYTES = 10 * 1024 * 1024;
const MAX_HEAD_BYTES = 256 * 1024;

/**
 * Takes in one mail: its reply joins the thread it answers, once however often the mail comes. The
 * log tells what became of it, never what it said.
 * @throws Error when the database cannot be used: the mail has to come again
 */
export async function receiveMail(world: InboundWorld, raw: Buffer): Promise<MailOutcome> {
  const outcome = await receive(world, raw);
  world.log.info(outcome, "mail taken in");
  return outcome;
}

async function receive(world: InboundWorld, raw: Buffer): Promise<MailOutcome> {
  const isWhole = raw.length <= MAX_BYTES;
  const mail = await parseMail(isWhole ? raw : headOf(raw));
  if (!mail) return ignored("unreadable");
  if (isAutomatic(mail)) return ignored("automatic");
  const { from, name } = mail;
  if (from === null || !isAddress(from)) return ignored("no sender");
  if (isOwn(world, from)) return ignored("own");
  const ticket = await findTicketOf(world.support, mail);
  if (!ticket) return ignored("no ticket");
  const reply = { ticket, from, name };
  return isWhole ? append(world, reply, mail) : refuse(world, reply, "too big");
}

/** An echo: taken in, it would be answered for ever. */
const isOwn = ({ own, support }: InboundWorld, from: string) =>
  own.includes(from.toLowerCase()) || typeof support.replies?.ticketOf(from) === "string";

async function append(
  world: InboundWorld,
  reply: Reply,
  { text, attachments }: IncomingMail,
): Promise<MailOutcome> {
  const { ticket, from, name } = reply;
  const written = { ticketUid: ticket.uid, from, text: replyIn(text), messageId: name };
  const result = await receiveReply(world.support, written);
  switch (result.outcome) {
    case "received":
    case "repeated":
      if (attachments > 0) await tellOfAttachments(world.support, reply, { textArrived: true });
      return { ...result, attachments };
    case "unknown ticket":
      return ignored("no ticket");
    case "not a message":
      if (attachments === 0 || written.text) return refuse(world, reply, result.outcome);
      return refused(
        result.outcome,
        await tellOfAttachments(world.support, reply, { textArrived: false }),
      );
    default:
      return refuse(world, reply, result.outcome);
  }
}

const refuse = async (world: InboundWorld, reply: Reply, reason: RefusalReason) =>
  refused(reason, await tellOfRefusal(world.support, reply, reason));

const refused = (reason: RefusalReason, told: boolean): MailOutcome => ({
  ...{ outcome: "refused", reason, told },
});

const ignored = (reason: SilentReason): MailOutcome => ({ outcome: "ignored", reason });

function headOf(raw: Buffer): Buffer {
  const start = raw.subarray(0, MAX_HEAD_BYTES);
  const end = start.toString("latin1").search(/\r?\n\r?\n/);
  return end < 0 ? start : start.subarray(0, end);
}
