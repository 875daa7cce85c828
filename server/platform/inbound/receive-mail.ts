import { identifierKey } from "../accounts/identifier";
import { isDatabaseUnavailable } from "../database/unavailable";
import { isAddress } from "../mail/sender";
import { receiveReply } from "../support/receive-reply";
import { trackAttempts, type Attempts } from "./attempts";
import type { InboundContext } from "./context";
import { findTicketOf } from "./find-ticket";
import { mailDroppedAttachments, mailRefusal, type Reply } from "./letters";
import { MAX_HEAD_BYTES, type MailBody } from "./mail";
import type { MailOutcome, RefusalReason, SilentReason } from "./outcome";
import { UnreadableMail } from "./reader";
import { restOf } from "./rest";

/** Only the head of a larger mail is read. */
export const MAX_BYTES = 10 * 1024 * 1024;

/**
 * Receives one mail: its reply joins the thread, once per mail even when it is delivered twice. The
 * log has the outcome, never the content.
 * @throws Error when this attempt failed or the database is unavailable: the mail must be delivered
 *   again
 */
export async function receiveMail(context: InboundContext, raw: Buffer): Promise<MailOutcome> {
  const outcome = await receiveOrSetAside(context, raw);
  if (outcome.outcome !== "set aside") context.log.info(outcome, "mail taken in");
  return outcome;
}

/** What is known about the mail so far. */
type Progress = { attempts: Attempts; name: string | null };

async function receiveOrSetAside(context: InboundContext, raw: Buffer): Promise<MailOutcome> {
  const progress: Progress = { attempts: trackAttempts(context, raw), name: null };
  try {
    return await processMail(context, raw, progress);
  } catch (error) {
    if (error instanceof AlreadyBeingRead || isDatabaseUnavailable(error)) throw error;
    const { attempts, name } = progress;
    if (await attempts.fail()) throw error;
    await attempts.forget();
    if (error instanceof UnreadableMail)
      return { outcome: "set aside", reason: error.reason, name };
    // The outcome names no cause, so the log has to.
    context.log.error({ err: error, messageId: name }, "mail cannot be taken in");
    return { outcome: "set aside", reason: "failure", name };
  }
}

/** Another process may be reading the mail; this is not a failure of the mail. */
class AlreadyBeingRead extends Error {
  override name = "BeingRead";
}

/**
 * Checks the sender by the head first; the body is read only when the sender may write to the
 * ticket.
 */
async function processMail(
  context: InboundContext,
  raw: Buffer,
  progress: Progress,
): Promise<MailOutcome> {
  const { reader } = context;
  const headBytes = cutHead(raw);
  const head = headBytes && (await reader.head(headBytes));
  if (!head) return ignored("unreadable");
  progress.name = head.name;
  if (head.writer === "machine") return ignored("automatic");
  if (head.writer === "perhaps") return ignored("perhaps automatic");
  const { from, name } = head;
  if (from === null || !isAddress(from)) return ignored("no sender");
  if (isOwnAddress(context, from)) return ignored("own");
  const ticket = await findTicketOf(context, head);
  if (!ticket) return ignored("no ticket");
  const reply = { ticket, from, name };
  if (identifierKey(from) !== ticket.email_key) return refuse(context, reply, "wrong sender");
  if (raw.length > MAX_BYTES) return refuse(context, reply, "too big");
  const body = await readBody(context, raw, progress);
  const outcome = body
    ? await appendReply(context, { ...reply, name: body.name }, body)
    : await refuse(context, reply, "too big");
  await progress.attempts.forget();
  return outcome;
}

/** True for a mail from this site, which would cause an endless loop. */
const isOwnAddress = ({ ownAddresses: own, replies }: InboundContext, from: string) =>
  own.includes(from.toLowerCase()) || typeof replies?.ticketOf(from) === "string";

async function readBody({ reader }: InboundContext, raw: Buffer, { attempts }: Progress) {
  const state = await attempts.begin();
  if (state === "failed") throw new UnreadableMail("process ended");
  if (state === "under way")
    throw new AlreadyBeingRead("mail is being read, perhaps by another process");
  return reader.body(raw);
}

async function appendReply(
  context: InboundContext,
  reply: Reply,
  body: MailBody,
): Promise<MailOutcome> {
  const { ticket, from, name } = reply;
  const { own: text, attachments } = body;
  const trimmed = restOf(body);
  const written = { ticketUid: ticket.uid, from, text, trimmed, messageId: name };
  const result = await receiveReply(context, written);
  switch (result.outcome) {
    case "received":
    case "repeated":
      return { ...result, attachments, ...(await tellOfAttachments(context, reply, body)) };
    case "name in use":
      return ignored(result.outcome);
    case "unknown ticket":
      return ignored("no ticket");
    case "not a message":
      if (attachments === 0 || text) return refuse(context, reply, result.outcome);
      return refused(
        result.outcome,
        await mailDroppedAttachments(context, reply, { textArrived: false }),
      );
    default:
      return refuse(context, reply, result.outcome);
  }
}

/** Attachments of which nobody is told are left to people with their mail, although its text arrived. */
async function tellOfAttachments(context: InboundContext, reply: Reply, { attachments }: MailBody) {
  const isTold =
    attachments === 0 || (await mailDroppedAttachments(context, reply, { textArrived: true }));
  return isTold ? {} : { reason: "attachments" as const };
}

const refuse = async (context: InboundContext, reply: Reply, reason: RefusalReason) =>
  refused(reason, await mailRefusal(context, reply, reason));

const refused = (reason: RefusalReason, isMailed: boolean): MailOutcome => ({
  outcome: "refused",
  reason,
  isMailed,
});

const ignored = (reason: SilentReason): MailOutcome => ({ outcome: "ignored", reason });

/** Cuts the head of a mail; null when it is longer than any mail program writes. */
function cutHead(raw: Buffer): Buffer | null {
  const start = raw.subarray(0, MAX_HEAD_BYTES);
  const end = start.toString("latin1").search(/\r?\n\r?\n/);
  if (end >= 0) return start.subarray(0, end);
  return raw.length <= MAX_HEAD_BYTES ? start : null;
}
