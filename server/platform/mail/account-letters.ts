import { escapeHtml } from "../content/markdown";
import { createDraft, type Annex, type Draft } from "./draft";
import { fill } from "./fill";
import { formatDay, formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { EarlierMail, LetterOf } from "./letters";

const { letters } = catalogue;

export function addressRelease({ site, ...link }: LetterOf<"address-release">): Draft {
  const { details, ...plain } = letters.addressRelease;
  const undo = link.hasUnsignedNotice ? letters.addressReleaseUndoable.details : [];
  const words = { ...plain, details: details.slice(0, 1).concat(undo, details.slice(1)) };
  return createDraft(words, {
    values: { site: site.title },
    facts: [
      ["openUntil", link.openUntil && formatMoment(link.openUntil)],
      ["confirmUntil", formatMoment(link.validUntil)],
    ],
    url: link.releaseUrl,
  });
}

export function passwordReset({ site, ...link }: LetterOf<"password-reset">): Draft {
  return createDraft(letters.passwordReset, {
    values: { site: site.title },
    facts: [["confirmUntil", formatMoment(link.validUntil)]],
    url: link.resetUrl,
  });
}

export function passwordChanged({ site, ...change }: LetterOf<"password-changed">): Draft {
  const words = { ...letters.passwordChanged, ...(change.isFirst && letters.passwordChosen) };
  return createDraft(words, {
    values: { site: site.title },
    facts: [[change.isFirst ? "chosenAt" : "changedAt", formatMoment(change.date)]],
    url: change.resetUrl,
  });
}

export function emailChange({ site, ...link }: LetterOf<"email-change">): Draft {
  return createDraft(letters.emailChange, {
    values: { site: site.title },
    facts: [["confirmUntil", formatMoment(link.validUntil)]],
    url: link.confirmUrl,
  });
}

export function emailTaken({ site, ...asked }: LetterOf<"email-taken">): Draft {
  return createDraft(letters.emailTaken, {
    values: { site: site.title },
    facts: [["askedAt", formatMoment(asked.date)]],
    url: asked.resetUrl,
  });
}

/** The other e-mail is not named: the mailbox may be a stranger's by now. */
export function emailChangeAsked({ site, ...asked }: LetterOf<"email-change-asked">): Draft {
  return createDraft(letters.emailChangeAsked, {
    values: { site: site.title },
    facts: [["askedAt", formatMoment(asked.date)]],
    url: asked.resetUrl,
  });
}

/**
 * RGPD, article 19: whose data are corrected is told, at both mailboxes. The person may not have read what the
 * earlier one got about their contract, and must have it on a durable medium (L221-13, R-11.15).
 */
export function emailChanged({ site, earlier, ...change }: LetterOf<"email-changed">): Draft {
  const { emailChangedEarlier } = letters;
  const words = wordsOfChange(change);
  const isRepeated = earlier.length > 0;
  const opening = isRepeated ? words.opening.concat(emailChangedEarlier.opening) : words.opening;
  const draft = createDraft(
    { ...words, opening },
    {
      values: { site: site.title },
      facts: [["changedAt", formatMoment(change.date)]],
      url: change.url,
    },
  );
  return { ...draft, annexes: earlier.map(earlierMail) };
}

function wordsOfChange({
  isFormer,
  isOfContract,
}: Pick<LetterOf<"email-changed">, "isFormer" | "isOfContract">) {
  const { emailChanged, emailChangedFormer } = letters;
  if (!isOfContract) return isFormer ? { ...emailChanged, ...emailChangedFormer } : emailChanged;
  const ofContract = { ...emailChanged, ...letters.emailChangedOfContract };
  return isFormer
    ? { ...ofContract, ...emailChangedFormer, ...letters.emailChangedOfContractFormer }
    : ofContract;
}

function earlierMail({ subject, text, sentAt }: EarlierMail): Annex {
  const { title, titleUndelivered } = letters.emailChangedEarlier;
  const paragraphs = text.trim().split(/\n{2,}/);
  return {
    title:
      sentAt === null
        ? fill(titleUndelivered, { subject })
        : fill(title, { subject, sentAt: formatMoment(sentAt) }),
    text: text.trim(),
    html: paragraphs.map((one) => `<p>${escapeHtml(one).replaceAll("\n", "<br>")}</p>`).join("\n"),
  };
}

/** RGPD, article 5-1-e: the owner of an idle account is told before it is deleted. */
export function accountIdle({ site, ...idle }: LetterOf<"account-idle">): Draft {
  const deletedAt = formatDay(idle.deletedAt);
  return createDraft(letters.accountIdle, {
    values: { site: site.title, deletedAt },
    facts: [
      ["lastUsedAt", formatDay(idle.lastUsedAt)],
      ["profileDeletedAt", deletedAt],
    ],
    url: idle.accountUrl,
  });
}
