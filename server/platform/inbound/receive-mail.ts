import { identifierKey } from "../accounts/identifier";
import { isDatabaseAway } from "../database/connection";
import { isAddress } from "../mail/sender";
import { receiveReply } from "../support/receive-reply";
import { attemptsAt, type Attempts } from "./attempts";
import type { InboundContext } from "./context";
import { findTicketOf } from "./find-ticket";
import { tellOfAttachments, tellOfRefusal, type Reply } from "./letters";
import { MAX_HEAD_BYTES, type MailBody } from "./mail";
import type { MailOutcome, RefusalReason, SilentReason } from "./outcome";
import { UnreadableMail } from "./reader";

/** A bigger mail is not read beyond its head. */
export const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Takes in one mail: its reply joins the thread it answers, once however often the mail comes. The
 * log tells what became of it, never what it said.
 * @throws Error when it could not be taken in this once, or the database cannot be used: it has to come
 *   again
 */
export async function receiveMail(context: InboundContext, raw: Buffer): Promise<MailOutcome> {
  const outcome = await receive(context, raw);
  if (outcome.outcome !== "set aside") context.log.info(outcome, "mail taken in");
  return outcome;
}

/** What is known of a mail as far as it was read. */
type Progress = { attempts: Attempts; name: string | null };

async function receive(context: InboundContext, raw: Buffer): Promise<MailOutcome> {
  const progress: Progress = { attempts: attemptsAt(context, raw), name: null };
  try {
    return await takeIn(context, raw, progress);
  } catch (error) {
    if (error instanceof BeingRead || isDatabaseAway(error)) throw error;
    const { attempts, name } = progress;
    if (await attempts.fail()) throw error;
    await attempts.forget();
    if (error instanceof UnreadableMail)
      return { outcome: "set aside", reason: error.reason, name };
    // The outcome says no more than that it failed.
    context.log.error({ err: error, messageId: name }, "mail cannot be taken in");
    return { outcome: "set aside", reason: "failure", name };
  }
}

/** Perhaps by another process: no failure of this mail. */
class BeingRead extends Error {
  override name = "BeingRead";
}

/** Who may not write is known from the head: nobody else's words are read. */
async function takeIn(
  context: InboundContext,
  raw: Buffer,
  progress: Progress,
): Promise<MailOutcome> {
  const { reader } = context;
  const headBytes = headOf(raw);
  const head = headBytes && (await reader.head(headBytes));
  if (!head) return ignored("unreadable");
  progress.name = head.name;
  if (head.isAutomatic) return ignored("automatic");
  const { from, name } = head;
  if (from === null || !isAddress(from)) return ignored("no sender");
  if (isOwn(context, from)) return ignored("own");
  const ticket = await findTicketOf(context, head);
  if (!ticket) return ignored("no ticket");
  const reply = { ticket, from, name };
  if (identifierKey(from) !== ticket.email_key) return refuse(context, reply, "wrong sender");
  if (raw.length > MAX_BYTES) return refuse(context, reply, "too big");
  const body = await readBody(context, raw, progress);
  const outcome = body
    ? await append(context, { ...reply, name: body.name }, body)
    : await refuse(context, reply, "too big");
  await progress.attempts.forget();
  return outcome;
}

/** An echo: taken in, it would be answered for ever. */
const isOwn = ({ own, replies }: InboundContext, from: string) =>
  own.includes(from.toLowerCase()) || typeof replies?.ticketOf(from) === "string";

async function readBody({ reader }: InboundContext, raw: Buffer, { attempts }: Progress) {
  const state = await attempts.begin();
  if (state === "failed") throw new UnreadableMail("process ended");
  if (state === "under way") throw new BeingRead("mail is being read, perhaps by another process");
  return reader.body(raw);
}

async function append(
  context: InboundContext,
  reply: Reply,
  { text, attachments }: MailBody,
): Promise<MailOutcome> {
  const { ticket, from, name } = reply;
  const written = { ticketUid: ticket.uid, from, text, messageId: name };
  const result = await receiveReply(context, written);
  switch (result.outcome) {
    case "received":
    case "repeated":
      if (attachments > 0) await tellOfAttachments(context, reply, { textArrived: true });
      return { ...result, attachments };
    case "unknown ticket":
      return ignored("no ticket");
    case "not a message":
      if (attachments === 0 || text) return refuse(context, reply, result.outcome);
      return refused(
        result.outcome,
        await tellOfAttachments(context, reply, { textArrived: false }),
      );
    default:
      return refuse(context, reply, result.outcome);
  }
}

const refuse = async (context: InboundContext, reply: Reply, reason: RefusalReason) =>
  refused(reason, await tellOfRefusal(context, reply, reason));

const refused = (reason: RefusalReason, told: boolean): MailOutcome => ({
  outcome: "refused",
  reason,
  told,
});

const ignored = (reason: SilentReason): MailOutcome => ({ outcome: "ignored", reason });

/** Null: longer than any mail program writes. */
function headOf(raw: Buffer): Buffer | null {
  const start = raw.subarray(0, MAX_HEAD_BYTES);
  const end = start.toString("latin1").search(/\r?\n\r?\n/);
  if (end >= 0) return start.subarray(0, end);
  return raw.length <= MAX_HEAD_BYTES ? start : null;
}
