import { expect, it } from "vitest";
import { knownSince } from "../../server/platform/accounts/known-address";
import { COPY_DAYS } from "../../server/platform/database/copy";
import { liveSince } from "../../server/platform/accounts/session-life";
import * as rules from "../../server/platform/limits/rules";
import { DAY_MS } from "../../server/platform/ports/durations";
import type { Age } from "../../server/platform/ports/age";
import { DELAYS } from "../../server/platform/retention/ends";
import { DISPUTE_DAYS } from "../../server/platform/money/claims";
import { UNDECIDED_DAYS } from "../../server/platform/money/undecided-debit";
import { REFUND_DAYS } from "../../server/platform/subscriptions/withdrawal-deadline";
import { PROFILE_AFTER_END } from "../../server/platform/subscriptions/schedule";
import { durationsIn, plain } from "./figures";
import { retentionTable } from "../support/retention-table";
import { PURGED } from "../platform/retention-rows";
import { read, sourcesBelow, titlesIn } from "./sources";

const now = new Date("2026-11-20T10:00:00.000Z");
const daysSince = (moment: string) => Math.floor((now.getTime() - Date.parse(moment)) / DAY_MS);

/** The daily purge may come a day after the end. */
const PURGED_WITHIN_DAYS = 1;
const windows = Object.values(rules).map(({ windowMs }) => windowMs);

/** Every delay of the code. The program writes log lines and keeps none. */
const delays: Record<string, Age> = {
  ...DELAYS,
  profileAfterEnd: PROFILE_AFTER_END,
  openPayment: { days: Math.max(REFUND_DAYS, UNDECIDED_DAYS) },
  openDispute: { days: DISPUTE_DAYS },
  session: { days: daysSince(liveSince(now)) + PURGED_WITHIN_DAYS },
  knownAddress: { days: daysSince(knownSince(now)) },
  attempts: { days: Math.max(...windows) / DAY_MS + PURGED_WITHIN_DAYS },
  logs: { months: 12 },
  backup: { days: COPY_DAYS },
};

const UNITS: Record<string, string> = { jour: "day", mois: "month", an: "year" };

/** As the table writes it: `3 years`. */
const worded = (count: number, unit: string) => `${count} ${unit}${count === 1 ? "" : "s"}`;

function wordsOf(age: Age): string {
  const [[unit, count] = ["", 0]] = Object.entries(age);
  return worded(count, unit.slice(0, -1));
}

/** The delays that a French text names, as the table writes them, with their places. */
const delaysIn = (text: string) =>
  durationsIn(text).flatMap(({ counts, unit, index }) =>
    counts.map((count) => ({ delay: worded(count, UNITS[unit] ?? unit), index })),
  );

const privacy = plain(read("server/content/pages/privacy.md"));
const list = privacy.split("## Combien de temps")[1]?.split("\n## ")[0] ?? "";

const rows = retentionTable;

it("each delay of the code stands in the table", () => {
  const written = rows.flatMap(({ constant, delay }) => (constant ? [[constant, delay]] : []));
  const coded = Object.entries(delays).map(([constant, age]) => [constant, wordsOf(age)]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(coded));
  expect(written).toHaveLength(coded.length);
});

it("each sentence of the table stands on the privacy page", () => {
  const promised = rows.filter(({ words }) => words !== "");
  expect(promised.length).toBeGreaterThan(10);
  expect(promised.filter(({ words }) => !list.includes(words))).toEqual([]);
});

it("each figure of the privacy page is a delay of the code", () => {
  const promises = rows.filter(({ words, constant }) => words !== "" && constant !== "");
  const wrong = promises.filter(({ words, delay }) => delaysIn(words)[0]?.delay !== delay);
  expect(wrong).toEqual([]);
  const covered = (index: number) =>
    promises.some(({ words }) => {
      const start = list.indexOf(words);
      return start >= 0 && start <= index && index < start + words.length;
    });
  const found = delaysIn(list);
  expect(found.length).toBeGreaterThanOrEqual(promises.length);
  expect(found.filter(({ index }) => !covered(index))).toEqual([]);
});

it("each job of the table is one of the program", () => {
  const sources = sourcesBelow("server/platform").map(read).join("\n");
  const jobs = rows.map(({ job }) => job).filter((job) => /^[\w.-]+$/.test(job));
  expect([...new Set(jobs)].filter((job) => !sources.includes(`= "${job}"`))).toEqual([]);
});

const RETENTION = "tests/platform/retention.test.ts";

/** The tests of rows that the walk of `retention-delays.test.ts` leaves out, by their kind. */
const ELSEWHERE: Record<string, [file: string, title: string]> = {
  "profile, after the end of a subscription that was stopped": [
    "tests/platform/life-stop.test.ts",
    "has its profile deleted a day later",
  ],
  "profile that waits for a payment or a refund": [
    "tests/platform/refund-end.test.ts",
    "stays two weeks while its refund is pending",
  ],
  "profile that waits for the end of a dispute": [
    "tests/platform/stripe-hold.test.ts",
    "keeps the profile for 120 days at most",
  ],
  "account without subscription, since it was last used": [
    RETENTION,
    "of an idle account is deleted after an announcement",
  ],
  "the mail that announces its deletion, before it": [
    RETENTION,
    "of an idle account stays until its warning was sent",
  ],
  "account that never paid, since the last visit": [
    RETENTION,
    "of who registers with a payment %s goes after a year",
  ],
  "hash of the network address that sent a notice": [
    RETENTION,
    "of a network address that sent a notice goes, and the notice is no posted one",
  ],
  "text of mails that do not arrive": [
    "tests/platform/mail.test.ts",
    "loses its text after thirty days without a server",
  ],
  "replies by mail that people must read, in the mailbox": [
    "tests/platform/inbound-mailbox.test.ts",
    "keeps mails for people thirty days, moved: %s",
  ],
  "e-mail of a deleted profile with an undecided order": [
    "tests/platform/refund-end.test.ts",
    "is claimed for thirteen months, and its e-mail goes",
  ],
  "backups, and copies of the database before an upgrade": [
    "tests/platform/migrations.test.ts",
    "keeps the last two copies, for a month",
  ],
  "hash of the e-mail of a deleted profile": [
    "tests/platform/notices-withdrawal.test.ts",
    "after deletion is possible for fourteen days only",
  ],
  "the same after a withdrawal whose refund is still owed": [
    "tests/platform/refund-end.test.ts",
    "is claimed for five years at most",
  ],
};

it("each row of the table ends in a test", () => {
  const walked = new Set(Object.keys(PURGED));
  // Whoever runs the site rotates its log.
  const ours = rows.filter(({ constant }) => constant !== "logs" && !walked.has(constant));
  expect(ours.map(({ kind }) => kind).sort()).toEqual(Object.keys(ELSEWHERE).sort());
  expect([...walked].filter((name) => !rows.some(({ constant }) => constant === name))).toEqual([]);
  const missing = Object.values(ELSEWHERE).filter(([file, title]) => !titlesIn(file).has(title));
  expect(missing).toEqual([]);
});
