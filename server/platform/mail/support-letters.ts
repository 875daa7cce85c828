import { splitTitle } from "../../../app/contract/support";
import { createDraft, type Draft, type Labelled } from "./draft";
import { formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";
import { sanitizeTyped } from "./sanitize-typed";

const { letters } = catalogue;

/**
 * Receipt of a ticket. A stranger may have typed the address, so their text is shortened, without
 * links.
 */
export function ticketReceived({ site, ...ticket }: LetterOf<"ticket-received">): Draft {
  const linkUntil = formatMoment(ticket.linkUntil);
  return createDraft(letters.ticketReceived, {
    values: { site: site.title, linkUntil },
    facts: [
      ["name", sanitizeTyped(ticket.name)],
      ...titleFacts(ticket.title),
      ["receivedAt", formatMoment(ticket.receivedAt)],
    ],
    url: ticket.url,
  });
}

export function supportLink({ site, url, ...link }: LetterOf<"support-link">): Draft {
  const linkUntil = formatMoment(link.linkUntil);
  return createDraft(letters.supportLink, {
    values: { site: site.title },
    facts: [["linkUntil", linkUntil]],
    url,
  });
}

/** Mails a coach's answer. */
export function answerArrived({ site, coach, ...answered }: LetterOf<"answer-arrived">): Draft {
  const { closed, url } = answered;
  const reread = closed && site.url !== "" ? url : null;
  const words = answered.isShut
    ? letters.answerShut
    : closed
      ? closingWords(closed)
      : answered.takesReplies
        ? letters.answerByMail
        : {};
  return createDraft(
    { ...letters.answerArrived, ...words },
    {
      values: { site: site.title, coach: sanitizeTyped(coach) },
      facts: [...titleFacts(answered.title), [closed?.isContact ? "request" : "thread", reread]],
      quote: answered.answer,
      url: closed?.newThreadUrl ?? url,
    },
  );
}

type Closed = NonNullable<LetterOf<"answer-arrived">["closed"]>;

/** In the words of the page of the ticket or discussion. */
function closingWords({ isContact, isLocked }: Closed) {
  if (!isContact) return isLocked ? letters.answerLocking : letters.answerClosing;
  return {
    ...letters.answerToRequest,
    ...(isLocked ? letters.answerLockingRequest : letters.answerClosingRequest),
  };
}

export function coachInvited({
  site,
  name,
  passwordUrl,
  deskUrl,
  ...of
}: LetterOf<"coach-invited">) {
  const keepsPassword = passwordUrl === null;
  const words = keepsPassword
    ? letters.coachInvitedAgain
    : of.hadPassword
      ? letters.coachInvitedAnew
      : {};
  return createDraft(
    { ...letters.coachInvited, ...words },
    {
      values: { site: site.title },
      facts: [
        ["deskName", sanitizeTyped(name)],
        ["desk", passwordUrl && deskUrl],
      ],
      url: passwordUrl ?? deskUrl,
    },
  );
}

/** Splits a ticket's title into category and subject, as the site shows it. */
export function titleFacts(full: string): Labelled[] {
  const { category, title } = splitTitle(full);
  return [
    ["category", category && sanitizeTyped(category)],
    ["subject", sanitizeTyped(title)],
  ];
}
