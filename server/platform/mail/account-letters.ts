import { createDraft, type Draft } from "./draft";
import { formatDay, formatMoment } from "./format";
import catalogue from "./letters.fr.json";
import type { LetterOf } from "./letters";

const { letters } = catalogue;

export function addressRelease({ site, ...link }: LetterOf<"address-release">): Draft {
  return createDraft(letters.addressRelease, {
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
  return createDraft(letters.passwordChanged, {
    values: { site: site.title },
    facts: [["changedAt", formatMoment(change.date)]],
    url: change.resetUrl,
  });
}

/** RGPD, article 19: whose data are corrected is told, at both mailboxes. */
export function emailChanged({ site, ...change }: LetterOf<"email-changed">): Draft {
  const words = change.isFormer
    ? { ...letters.emailChanged, ...letters.emailChangedFormer }
    : letters.emailChanged;
  return createDraft(words, {
    values: { site: site.title },
    facts: [["changedAt", formatMoment(change.date)]],
    url: change.url,
  });
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
