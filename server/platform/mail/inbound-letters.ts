import { createDraft, type Draft } from "./draft";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";
import { titleFacts } from "./support-letters";

const { letters } = catalogue;

export function attachmentRefused({ site, ...sent }: LetterOf<"attachment-refused">): Draft {
  const words = sent.textArrived ? {} : letters.attachmentAlone;
  return createDraft(
    { ...letters.attachmentRefused, ...words },
    {
      values: { site: site.title },
      facts: titleFacts(sent.title),
      url: sent.url,
    },
  );
}

const REASONS = {
  "wrong sender": letters.replyFromElsewhere,
  closed: letters.replyTooLate,
  "not subscribed": letters.replyNotSubscribed,
  "not a message": letters.replyUnreadable,
  "too many": letters.replyTooMany,
  "too big": letters.replyTooBig,
};

export function replyRefused({ site, title, url, ...refused }: LetterOf<"reply-refused">): Draft {
  const { reason, isRequest } = refused;
  const words = reason === "closed" && isRequest ? letters.requestTooLate : REASONS[reason];
  return createDraft(
    { ...letters.replyRefused, ...words },
    {
      values: { site: site.title },
      facts: title ? titleFacts(title) : [],
      url,
    },
  );
}
