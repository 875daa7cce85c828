import { createDraft, type Draft } from "./draft";
import { formatMoment } from "./format";
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
