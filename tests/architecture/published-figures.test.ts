import { describe, expect, it } from "vitest";
import { WISHED_YEARS } from "../../app/contract/day";
import { LOGIN_WAITING_MINUTES, PASSWORD_LENGTH } from "../../app/contract/limits";
import { GRACE_DAYS } from "../../app/contract/periods";
import { EMAIL_LINK_MS } from "../../server/platform/accounts/email-request";
import { RESET_LINK_MS } from "../../server/platform/accounts/reset-link";
import { TOLD_AHEAD } from "../../server/platform/content/terms";
import { MESSAGES } from "../../server/platform/limits/rules";
import { LATEST_DAYS, UNDO_DAYS } from "../../server/platform/notices/mail-time";
import { hintOf } from "../../server/platform/payments/sandbox/cards";
import { COPY_DAYS } from "../../server/platform/database/copy";
import { HOUR_MS } from "../../server/platform/ports/durations";
import { DELAYS, LARGE_CONTRACT } from "../../server/platform/retention/ends";
import type { Age } from "../../server/platform/ports/age";
import { DISPUTE_DAYS } from "../../server/platform/money/claims";
import {
  LEAST_MONTHS,
  NOTICE_MONTHS,
  PROFILE_AFTER_END,
  SHORT_TRIAL_DAYS,
  TRIAL_NOTICE_DAYS,
} from "../../server/platform/subscriptions/schedule";
import { KEPT_SECONDS } from "~/session/kept-receipt.server";
import { CONSENT_DAYS, LANGUAGE_DAYS, LITE_DAYS } from "~/session/preferences.server";
import { UNDECIDED_DAYS } from "../../server/platform/money/undecided-debit";
import { LONG_PERIOD, RETRY_DAYS } from "../../server/platform/subscriptions/contract-periods";
import {
  REFUND_DAYS,
  WITHDRAWAL_DAYS,
} from "../../server/platform/subscriptions/withdrawal-deadline";
import { LINK_DAYS } from "../../server/platform/support/contact-link";
import { amountsIn, durationsIn, NUMBERS, plain } from "./figures";
import { filesBelow, read } from "./sources";

/** As `7 jour`; of several before one unit `1 3 5 jour`. */
const writtenIn = (text: string): string[] =>
  durationsIn(text).map(({ counts, unit }) => `${counts.join(" ")} ${unit}`);

/** The quotations of the law state its own figures. */
const withoutQuotations = (text: string) =>
  text
    .split("\n")
    .filter((line) => !line.startsWith(">"))
    .join("\n");

const stringsOf = (value: unknown): string[] =>
  typeof value === "string"
    ? [value]
    : Object.values(value ?? {}).flatMap((inner: unknown) => stringsOf(inner));

const day = (...counts: readonly number[]) => `${counts.join(" ")} jour`;
const week = (count: number) => `${count} semaine`;
const month = (count: number) => `${count} mois`;
const year = (count: number) => `${count} an`;
const minute = (count: number) => `${count} minute`;
const hours = (ms: number) => `${ms / HOUR_MS} heure`;

function age(age: Age): string {
  if ("days" in age) return day(age.days);
  return "months" in age ? month(age.months) : year(age.years);
}

const NOTICE = [age(DELAYS.notice), age(DELAYS.noticeOfNoContract)];
const PROOF = [age(DELAYS.contractProof), age(DELAYS.largeContractProof)];
const REQUESTS = [age(DELAYS.contactTicket), age(DELAYS.unansweredTicket)];
/** The mediator may be asked when two months went by without an answer (L612-2). */
const MEDIATION = month(2);
/** How long Google Analytics keeps `_ga`, by its documentation; the others it keeps for less. */
const TRACKER_YEARS = 2;
const FILLED_IN = minute(2);
/** "ou un jour à venir" names any day. */
const ANY_DAY = [day(1), day(1)];

/** Each duration of a published text, in its order, with the constant that makes it true. */
const TEXTS: Record<string, readonly string[]> = {
  "server/content/pages/terms-of-service.md": [
    age(TOLD_AHEAD),
    day(...RETRY_DAYS),
    day(GRACE_DAYS),
    day(GRACE_DAYS),
    day(TRIAL_NOTICE_DAYS.short),
    day(SHORT_TRIAL_DAYS),
    day(TRIAL_NOTICE_DAYS.long),
    day(TRIAL_NOTICE_DAYS.short),
    month(LONG_PERIOD.month),
    // The window of L215-1, in which the notice is sent.
    month(NOTICE_MONTHS + 1),
    month(LEAST_MONTHS),
    month(LONG_PERIOD.month),
    week(LONG_PERIOD.week),
    day(LONG_PERIOD.day),
    year(LONG_PERIOD.year),
    day(UNDO_DAYS),
    day(UNDO_DAYS),
    day(WITHDRAWAL_DAYS),
    day(UNDO_DAYS),
    day(LATEST_DAYS),
    day(REFUND_DAYS),
    MEDIATION,
  ],
  "server/content/pages/legal-notice.md": [day(WITHDRAWAL_DAYS)],
  "app/locales/fr/cancellation.json": NOTICE,
  "app/locales/fr/card.json": [
    age(DELAYS.books),
    ...PROOF,
    age(DELAYS.refusedPayment),
    age(DELAYS.idleAccount),
    age(DELAYS.unusedAccount),
  ],
  "app/locales/fr/coaching.json": [age(PROFILE_AFTER_END)],
  "app/locales/fr/contact.json": [
    day(LINK_DAYS),
    day(WITHDRAWAL_DAYS),
    ...REQUESTS,
    day(LINK_DAYS),
    age(DELAYS.mail),
    day(LINK_DAYS),
  ],
  "app/locales/fr/data.json": [
    day(COPY_DAYS),
    age(DELAYS.books),
    ...PROOF,
    ...REQUESTS,
    day(WITHDRAWAL_DAYS),
  ],
  "app/locales/fr/forms.json": [...ANY_DAY, year(WISHED_YEARS)],
  "app/locales/fr/offer.json": [day(WITHDRAWAL_DAYS)],
  "app/locales/fr/payment.json": [minute(LOGIN_WAITING_MINUTES)],
  "app/locales/fr/preferences.json": [
    month(CONSENT_DAYS / 30),
    hours(KEPT_SECONDS * 1000),
    month(CONSENT_DAYS / 30),
    year(LITE_DAYS / 365),
    year(LANGUAGE_DAYS / 365),
    year(TRACKER_YEARS),
    year(LANGUAGE_DAYS / 365),
    year(LANGUAGE_DAYS / 365),
  ],
  "app/locales/fr/registration.json": [
    FILLED_IN,
    age(DELAYS.idleAccount),
    age(DELAYS.unusedAccount),
  ],
  "app/locales/fr/release.json": [day(WITHDRAWAL_DAYS)],
  "app/locales/fr/reset.json": [hours(RESET_LINK_MS), hours(RESET_LINK_MS)],
  "app/locales/fr/email.json": [hours(EMAIL_LINK_MS)],
  "app/locales/fr/flash.json": [minute(LOGIN_WAITING_MINUTES)],
  "app/locales/fr/withdrawal.json": [
    day(WITHDRAWAL_DAYS),
    day(WITHDRAWAL_DAYS),
    ...NOTICE,
    day(UNDO_DAYS),
  ],
  "server/platform/mail/letters.fr.json": [
    month(LEAST_MONTHS),
    day(REFUND_DAYS),
    day(REFUND_DAYS),
    day(DISPUTE_DAYS),
    day(UNDECIDED_DAYS),
    day(REFUND_DAYS),
    day(REFUND_DAYS),
    age(DELAYS.books),
    ...PROOF,
    age(DELAYS.contactTicket),
    age(DELAYS.unansweredTicket),
    age(DELAYS.books),
    ...PROOF,
    age(DELAYS.contactTicket),
    age(DELAYS.unansweredTicket),
    hours(MESSAGES.windowMs),
    hours(RESET_LINK_MS),
    hours(EMAIL_LINK_MS),
    hours(EMAIL_LINK_MS),
  ],
};

/** Of the fictitious company that a demonstration names. */
const DEMO_CAPITAL = 100_000;

/** Each amount of a published text, in its order, with the constant that makes it true. */
const AMOUNTS: Record<string, readonly number[]> = {
  "server/content/pages/privacy.md": [LARGE_CONTRACT],
  "app/locales/fr/card.json": [LARGE_CONTRACT],
  "app/locales/fr/data.json": [LARGE_CONTRACT],
  "server/platform/mail/letters.fr.json": [LARGE_CONTRACT, LARGE_CONTRACT],
  "server/platform/content/identity-demo.fr.json": [DEMO_CAPITAL],
  "server/platform/export/columns.ts": [LARGE_CONTRACT],
  "docs/retention.md": [LARGE_CONTRACT, LARGE_CONTRACT],
};

const CATALOGUES = [
  ...filesBelow("app/locales/fr", /\.json$/),
  ...filesBelow("server/platform", /\.fr\.json$/),
];

describe("each amount", () => {
  it.each([
    ...filesBelow("server/content/pages", /\.md$/),
    ...CATALOGUES,
    "server/platform/export/columns.ts",
    "docs/retention.md",
  ])("of %s is one of the code", (path) => {
    expect(amountsIn(withoutQuotations(read(path)))).toEqual(AMOUNTS[path] ?? []);
  });

  it("is read in figures and in words", () => {
    const text = "1 000 €, 9,90 €, dix euros, cent vingt\u00a0euros, 3 europes";
    expect(amountsIn(text)).toEqual([100_000, 990, 1_000, 12_000]);
  });
});

describe("each duration", () => {
  it.each(Object.keys(TEXTS).filter((path) => path.endsWith(".md")))(
    "of %s is one of the code",
    (path) => {
      expect(writtenIn(withoutQuotations(read(path)))).toEqual(TEXTS[path]);
    },
  );

  const catalogues = import.meta.glob<unknown>(
    ["../../app/locales/fr/*.json", "../../server/platform/**/*.fr.json"],
    { eager: true, import: "default" },
  );

  it.each(Object.entries(catalogues))("of %s is one of the code", (file, texts) => {
    const path = file.replace("../../", "");
    expect(stringsOf(texts).flatMap(writtenIn)).toEqual(TEXTS[path] ?? []);
  });
});

describe("a figure of", () => {
  it("cookies on the privacy page is that of their code", () => {
    // One duration is said of both.
    expect(LITE_DAYS).toBe(LANGUAGE_DAYS);
    const [, section = ""] = read("server/content/pages/privacy.md").split("\n## Cookies");
    const [cookies = ""] = section.split("\n## ");
    expect(writtenIn(cookies)).toEqual([
      hours(KEPT_SECONDS * 1000),
      month(CONSENT_DAYS / 30),
      year(LITE_DAYS / 365),
      year(TRACKER_YEARS),
    ]);
  });

  it("passwords in the terms is that of the form", () => {
    const { min, max } = PASSWORD_LENGTH;
    expect(plain(read("server/content/pages/terms-of-service.md"))).toContain(
      `un mot de passe de ${min} à ${max} caractères`,
    );
  });

  it("cards on the privacy page is what is kept of a card", () => {
    const shown = hintOf("4242424242421234").replaceAll(/[^\d]+/g, " ");
    const [start = "", end = ""] = shown.split(" ");
    const words = [start, end].map(
      ({ length }) => Object.entries(NUMBERS).find(([, count]) => count === length)?.[0],
    );
    expect(plain(read("server/content/pages/privacy.md"))).toContain(
      `les ${words[0]} premiers et les ${words[1]} derniers chiffres`,
    );
  });
});
