import { splitTitle } from "../../../app/contract/support";
import { draft, type Draft, type Labelled } from "./draft";
import { formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";
import { asTyped } from "./typed";

const { letters } = catalogue;

/** Anybody may have typed the address: what they wrote stands here without links, and short. */
export function ticketReceived({ site, ...ticket }: LetterOf<"ticket-received">): Draft {
  const linkUntil = formatMoment(ticket.linkUntil);
  return draft(letters.ticketReceived, {
    values: { site: site.title, linkUntil },
    facts: [
      ["name", asTyped(ticket.name)],
      ...subjectOf(ticket.title),
      ["receivedAt", formatMoment(ticket.receivedAt)],
    ],
    url: ticket.url,
  });
}

export function supportLink({ site, url, ...link }: LetterOf<"support-link">): Draft {
  const linkUntil = formatMoment(link.linkUntil);
  return draft(letters.supportLink, {
    values: { site: site.title },
    facts: [["linkUntil", linkUntil]],
    url,
  });
}

/** */
export function answerArrived({ site, coach, ...answered }: LetterOf<"answer-arrived">): Draft {
  const words = answered.takesReplies ? letters.answerByMail : {};
  return draft(
    { ...letters.answerArrived, ...words },
    {
      values: { site: site.title, coach: asTyped(coach) },
      facts: subjectOf(answered.title),
      quote: answered.answer,
      url: answered.url,
    },
  );
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
  return draft(
    { ...letters.coachInvited, ...words },
    {
      values: { site: site.title },
      facts: [
        ["deskName", asTyped(name)],
        ["desk", passwordUrl && deskUrl],
      ],
      url: passwordUrl ?? deskUrl,
    },
  );
}

/** A ticket's title as the site shows it: its category stands apart. */
export function subjectOf(full: string): Labelled[] {
  const { category, title } = splitTitle(full);
  return [
    ["category", category && asTyped(category)],
    ["subject", asTyped(title)],
  ];
}
