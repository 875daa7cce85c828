import type { Submission } from "@conform-to/react";
import { data } from "@remix-run/node";
import { FAILED, found, type ReadResult } from "~/api/read-result";
import { parseForm } from "~/forms/read.server";
import { refuse, refuseButton } from "~/forms/refuse.server";
import { newFormKey } from "~/session/form-key.server";
import type { Visit } from "~/session/visit.server";
import { giveConsent } from "./consent.server";
import { supportErrors } from "./errors.server";
import { throwIfLost, lostBy, findSupportData, type Lost } from "./failure.server";
import { readMarkForm, replyForm } from "./form";
import type { SupportKind } from "./kinds";
import { ownMessages } from "./own-messages.server";
import { messageWords, type MessageWords } from "./message-words.server";
import { ticketWords, type TicketWords } from "./ticket-words.server";

/**
 * The newest messages of a thread, or older ones with a cursor. A failed read ends no page: a
 * reply that is being written stays there.
 */
export async function loadThread(
  visit: Visit,
  { type }: SupportKind,
  uid: string,
): Promise<ReadResult<ThreadData>> {
  const cursor = visit.url.searchParams.get("cursor");
  const since = visit.url.searchParams.get("since");
  const result = await findSupportData(visit, "getTicket", {
    params: { type, uid },
    headers: {},
    query: { ...(cursor && { cursor }), ...(since && { since }) },
  });
  if (result.kind !== "found") return result;
  const { payload, page } = result.value;
  const { messages, birth, consentTakenBackDateTime, ...ticket } = payload;
  const own = await ownMessages(visit, type, payload);
  if (own.kind !== "found") {
    visit.markUnread();
    return FAILED;
  }
  return found({
    hasNoConsent: Boolean(consentTakenBackDateTime),
    ticket: ticketWords(ticket),
    birth,
    messages: messages.map((message) => messageWords(message, own.value(message))),
    // The cursor of newer messages leads to no older ones.
    older: page.hasNextPage && !since ? page.endCursor : null,
    isNewest: since ? !page.hasNextPage : !cursor,
    idempotencyKey: newFormKey(),
  });
}

export type ThreadData = {
  ticket: TicketWords;
  /** What the person told of their birth. */
  birth?: string | undefined;
  messages: MessageWords[];
  /** Cursor of the older messages. */
  older: string | null;
  isNewest: boolean;
  idempotencyKey: string;
  /** The person took their consent back, and none stands since. */
  hasNoConsent: boolean;
};

export function threadTitle(visit: Visit, kind: SupportKind, thread: ReadResult<ThreadData>) {
  if (thread.kind === "found") return thread.value.ticket.title;
  return thread.kind === "none"
    ? visit.t("support", "gone.title")
    : visit.t(kind.namespace, "thread.unread");
}

/** Handles the posts of a thread's page: a reply, or a read mark. */
export async function submitToThread(visit: Visit, kind: SupportKind, uid: string, form: FormData) {
  return form.get("intent") === "read"
    ? markRead(visit, kind, uid, form)
    : submitReply(visit, kind, uid, form);
}

/** Sends a reply, once per idempotency key. With `inPlace` the answer is the message, not a page. */
async function submitReply(visit: Visit, kind: SupportKind, uid: string, form: FormData) {
  const submission = parseForm(form, replyForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { message, until, idempotencyKey, consent } = submission.value;
  const refusal = consent && kind.type === "coaching" ? await giveConsent(visit) : null;
  if (refusal) return refuse(visit, submission, refusal);
  const outcome = await visit.attempt("createMessage", {
    params: { type: kind.type, uid },
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: { message },
  });
  if (!outcome.ok) {
    const lost = lostBy(visit, outcome.error);
    return lost
      ? giveBackLost(visit, submission, lost)
      : refuse(visit, submission, supportErrors("message", outcome.error));
  }
  if (form.has("inPlace")) {
    return data({ sent: messageWords(outcome.value.payload, true), idempotencyKey: newFormKey() });
  }
  // The reply is stored. Whatever becomes of the mark, it counts as sent.
  if (until) await visit.attempt("markTicketRead", readMarkOf(kind, uid, until));
  visit.session.flash({ type: "success", key: "messageSent" });
  const { secret } = visit;
  const to = kind.thread(uid, secret ? { t: secret } : {});
  return visit.redirect(`${to}#${outcome.value.payload.uid}`, { status: 303 });
}

/** Returns a text that cannot be sent, with the reason and another place to send it. */
function giveBackLost<T>(visit: Visit, submission: Submission<T, string[]>, lost: Lost) {
  visit.answerInPlace();
  const status = lost === "gone" ? 404 : 403;
  const formErrors = [visit.t("support", `lost.${lost}`)];
  return refuse(visit, submission, { formErrors, status, isSettled: true }, { lost });
}

/**
 * Marks answers as read. The script of the page sends this, or without script a button: a GET request
 * marks nothing.
 */
async function markRead(visit: Visit, kind: SupportKind, uid: string, form: FormData) {
  const submission = parseForm(form, readMarkForm);
  // The script sent this without a press, so the error appears with the next post of the page.
  if (submission.status === "error" && form.has("inPlace")) return data({ read: false });
  if (submission.status === "error") return refuse(visit, submission);
  const until = submission.status === "success" ? submission.value.until : undefined;
  const outcome = await visit.attempt("markTicketRead", readMarkOf(kind, uid, until));
  if (form.has("inPlace")) return data({ read: outcome.ok });
  if (!outcome.ok) {
    await throwIfLost(visit, outcome.error);
    return refuseButton(visit, outcome.error, "dataError");
  }
  return visit.redirect(kind.list(visit.secret ? { t: visit.secret } : {}), { status: 303 });
}

const readMarkOf = ({ type }: SupportKind, uid: string, until: string | undefined) => ({
  params: { type, uid },
  headers: {},
  query: until ? { until } : {},
});
