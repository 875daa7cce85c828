import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { addDuration } from "~/contract/calendar";
import { dayOf } from "~/contract/day";
import { dueOfferOf, offerOf, wasShown } from "~/contract/offer";
import {
  anchorOf,
  firstPeriodEnd,
  firstPeriodStart,
  periodPaidAt,
  type Due,
  type Duration,
} from "~/contract/periods";
import type { DurationUnit, Formula, Offer } from "~/contract/subscriptions";
import { orderText } from "~/i18n/order-words.server";
import { describeOffer } from "../../server/platform/offers/description";

const HOUR_MS = 3_600_000;
/** A year with both clock changes, 29 February and two turns of the year. */
const FIRST_HOUR = Date.parse("2027-12-15T00:00:00.000Z");
const HOURS = 380 * 24;

const LENGTHS: [number, DurationUnit][] = [
  [1, "day"],
  [7, "day"],
  [2, "week"],
  [1, "month"],
  [3, "month"],
  [1, "year"],
];

const formulaOf = ([duration, unit]: [number, DurationUnit], isTrial: boolean): Formula => ({
  uid: "f",
  amount: 990,
  ...(isTrial && { trialAmount: 100, trialDuration: duration, trialDurationUnit: unit }),
  ...(isTrial
    ? { periodDuration: 1, periodDurationUnit: "month" }
    : { periodDuration: duration, periodDurationUnit: unit }),
});

/** Counts by calendar days alone, without a clock. */
function dayAfter(day: string, [count, unit]: [number, DurationUnit]): string {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  const months = { day: 0, week: 0, month: count, year: 12 * count }[unit];
  const days = { day: count, week: 7 * count, month: 0, year: 0 }[unit];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const end = Date.UTC(year, month - 1 + months, Math.min(date, last) + days);
  return new Date(end).toISOString().slice(0, 10);
}

const nextDay = (debit: Offer["nextDebit"]) => debit && dayOf(new Date(debit.date));

const MONTH: Duration = { duration: 1, unit: "month" };
const ZONES = ["UTC", "America/Los_Angeles", "Pacific/Kiritimati", "Asia/Kolkata"];

/** The next three debits of a contract, each of which is paid when it is due. */
function debitsAfter({ due, anchor, period }: Due): Date[] {
  const debits: Date[] = [];
  let paid = { end: due, anchor };
  for (let index = 0; index < 3; index++) {
    const next = { due: paid.end, anchor: paid.anchor, period };
    paid = periodPaidAt(paid.end, next, addDuration);
    debits.push(paid.end);
  }
  return debits;
}

afterEach(() => vi.unstubAllEnvs());

describe("at each hour of a year", () => {
  const hours = Array.from({ length: HOURS }, (_, hour) => new Date(FIRST_HOUR + hour * HOUR_MS));

  it.each(LENGTHS)("the next debit comes %i %s later by the calendar", (count, unit) => {
    for (const isTrial of [true, false]) {
      const formula = formulaOf([count, unit], isTrial);
      const wrong = hours.filter((now) => {
        const { date } = offerOf(formula, now).nextDebit;
        return dayOf(new Date(date)) !== dayAfter(dayOf(now), [count, unit]);
      });
      expect(wrong).toEqual([]);
    }
  });

  it.each<[string, [number, DurationUnit] | null, [number, DurationUnit]]>([
    ["days", null, [3, "day"]],
    ["weeks", null, [2, "week"]],
    ["months", null, [1, "month"]],
    ["years", null, [1, "year"]],
    ["months after days", [7, "day"], [1, "month"]],
    ["months after weeks", [2, "week"], [1, "month"]],
    ["months after months", [1, "month"], [1, "month"]],
    ["years after a year", [1, "year"], [1, "year"]],
  ])("a renewal in grace names the day by the calendar: %s", (_, trial, [count, unit]) => {
    const period = { duration: count, unit };
    const lengths = { trial: trial && { duration: trial[0], unit: trial[1] }, period };
    const wrong = hours.filter((start) => {
      const due = firstPeriodEnd(start, lengths);
      const anchor = firstPeriodStart(start, lengths);
      const contract = { formula: "f", name: "VIP", amount: 990, due, anchor, period };
      const inGrace = new Date(due.getTime() + HOUR_MS);
      const { nextDebit } = dueOfferOf(contract, inGrace);
      const day = trial ? dayAfter(dayOf(start), trial) : dayOf(start);
      return nextDay(nextDebit) !== dayAfter(day, [trial ? count : 2 * count, unit]);
    });
    expect(wrong).toEqual([]);
  });

  it.each(LENGTHS)("the schedule debits on the shown day, then every %i %s", (count, unit) => {
    const length = { duration: count, unit };
    for (const trial of [null, length]) {
      const formula = formulaOf([count, unit], trial !== null);
      const period = trial ? MONTH : length;
      // Each hour of the day comes within seventeen days.
      const some = hours.filter((_, index) => index % 17 === 0);
      const wrong = some.filter((start) => {
        const due = firstPeriodEnd(start, { trial, period });
        const anchor = firstPeriodStart(start, { trial, period });
        const later = debitsAfter({ due, anchor, period });
        const days = later.map((date) => dayOf(date));
        const from = trial ? dayOf(due) : dayOf(start);
        const first = trial ? 1 : 2;
        return (
          dayOf(due) !== dayOf(new Date(offerOf(formula, start).nextDebit.date)) ||
          days.some(
            (day, index) =>
              day !== dayAfter(from, [(first + index) * period.duration, period.unit]),
          )
        );
      });
      expect(wrong).toEqual([]);
    }
  });

  it.each(ZONES)("a server in %s debits at the same times", (zone) => {
    const some = hours.filter((_, index) => index % 13 === 0);
    const debits = (start: Date) => {
      const terms = { trial: { duration: 7, unit: "day" as const }, period: MONTH };
      const [due, anchor] = [firstPeriodEnd(start, terms), firstPeriodStart(start, terms)];
      return [due, ...debitsAfter({ due, anchor, period: MONTH })];
    };
    const here = some.map(debits);
    vi.stubEnv("TZ", zone);
    expect(some.map(debits)).toEqual(here);
  });

  it.each(ZONES)("a server in %s computes the same offer", (zone) => {
    const formula = formulaOf([7, "day"], true);
    const shownAt = (now: Date) => {
      const offer = offerOf(formula, now);
      return [offer.statement, orderText(offer), describeOffer(offer)];
    };
    const some = hours.filter((_, index) => index % 13 === 0);
    const here = some.map(shownAt);
    vi.stubEnv("TZ", zone);
    expect(some.map(shownAt)).toEqual(here);
  });

  it("price box, bank and statement name the same day", () => {
    const formula = formulaOf([1, "month"], false);
    for (const now of hours.filter((_, index) => index % 7 === 0)) {
      const offer = offerOf(formula, now);
      const day = dayOf(new Date(offer.nextDebit.date));
      const [year, , date] = day.split("-");
      expect(offer.statement).toContain(day);
      for (const text of [orderText(offer), describeOffer(offer)]) {
        expect(text).toMatch(new RegExp(`\\b${Number(date)}(?:er)?\\s\\S+\\s${year}\\b`));
      }
    }
  });

  it("the statement of the day before is accepted", () => {
    for (const length of LENGTHS) {
      const formula = formulaOf(length, false);
      for (const now of hours.filter((_, index) => index % 11 === 0)) {
        const { statement } = offerOf(formula, new Date(now.getTime() - 20 * HOUR_MS));
        expect(wasShown(statement, offerOf(formula, now))).toBe(true);
      }
    }
  });
});

describe("a contract's anchor", () => {
  const length = fc.record({
    duration: fc.integer({ min: 1, max: 3 }),
    unit: fc.constantFrom<DurationUnit>("day", "week", "month", "year"),
  });
  const contracts = fc.record({
    hour: fc.integer({ min: 0, max: HOURS }),
    trial: fc.option(length),
    period: length,
    paid: fc.integer({ min: 0, max: 40 }),
  });
  const at = (hour: number) => new Date(FIRST_HOUR + hour * HOUR_MS);

  it("is found from its start and paid period", () => {
    fc.assert(
      fc.property(contracts, ({ hour, trial, period, paid }) => {
        const anchor = firstPeriodStart(at(hour), { trial, period });
        const periods = trial ? paid : paid + 1;
        const due = addDuration(anchor, periods * period.duration, period.unit);
        expect(anchorOf(at(hour), { trial, period }, due)).toEqual(anchor);
      }),
    );
  });

  it("is unknown once its periods began anew", () => {
    fc.assert(
      fc.property(contracts, fc.integer({ min: 1, max: 3_599_999 }), (contract, more) => {
        const { hour, trial, period } = contract;
        const again = new Date(at(hour).getTime() + more);
        const due = addDuration(again, period.duration, period.unit);
        expect(anchorOf(at(hour), { trial, period }, due)).toBeNull();
      }),
    );
  });

  it("brings the 31st back after February", () => {
    const start = new Date("2027-01-31T09:00:00.000Z");
    const due = new Date("2027-02-28T09:00:00.000Z");
    const period = { duration: 1, unit: "month" } as const;
    const anchor = anchorOf(start, { trial: null, period }, due) ?? due;
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor, period };
    const { nextDebit } = dueOfferOf(contract, new Date("2027-03-02T09:00:00.000Z"));
    expect(nextDay(nextDebit)).toBe("2027-03-31");
  });
});

describe("an offer", () => {
  const now = new Date("2026-11-20T10:00:00.000Z");
  const shown = offerOf(formulaOf([7, "day"], true), now).statement;

  it.each<[string, Partial<Formula>]>([
    ["amount", { amount: 991 }],
    ["trial's amount", { trialAmount: 101 }],
    ["trial", { trialDuration: 8 }],
    ["period", { periodDuration: 2 }],
    ["unit", { periodDurationUnit: "week" }],
    ["credit", { creditAmount: 1 }],
    ["formula", { uid: "g" }],
    ["name", { name: "VIP" }],
  ])("differs when it has another %s", (_, change) => {
    const offer = offerOf({ ...formulaOf([7, "day"], true), ...change }, now);
    expect(wasShown(shown, offer)).toBe(false);
  });

  it("of two days ago is refused", () => {
    const later = new Date(now.getTime() + 48 * HOUR_MS);
    expect(wasShown(shown, offerOf(formulaOf([7, "day"], true), later))).toBe(false);
  });

  it("of a trial without an amount is free", () => {
    const { trialAmount: _, ...formula } = formulaOf([7, "day"], true);
    const offer = offerOf(formula, now);
    expect(offer.amountNow).toBe(0);
    for (const text of [orderText(offer), describeOffer(offer)]) {
      expect(text).toMatch(/7\sjours (?:d’essai )?à titre gratuit/);
      expect(text).not.toMatch(/à 0,00/);
    }
  });

  it("after a used trial states the full price", () => {
    const formula = formulaOf([7, "day"], true);
    const offer = offerOf(formula, now, { hasUsedTrial: true });
    expect(offer).toMatchObject({ trial: null, trialUsed: true, amountNow: 990 });
    expect(orderText(offer)).toContain("déjà utilisé");
    expect(describeOffer(offer)).toContain("sans essai puisque vous en avez déjà eu un");
    const plain = offerOf(formulaOf([1, "month"], false), now, { hasUsedTrial: true });
    expect(plain).not.toHaveProperty("trialUsed");
  });

  it("names its credit on the form and at the bank", () => {
    const offer = offerOf({ ...formulaOf([7, "day"], true), creditAmount: 2000 }, now);
    expect(orderText(offer)).toMatch(/\nCashback\s: 20,00\s€$/);
    expect(describeOffer(offer)).toMatch(/Cashback\s: 20,00\s€\./);
  });

  it("of a contract has its amount, no trial and no credit", () => {
    const period = { duration: 1, unit: "month" } as const;
    const due = new Date("2026-11-18T10:00:00.000Z");
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
    expect(dueOfferOf(contract, now)).toMatchObject({
      amountNow: 990,
      trial: null,
      nextDebit: { date: "2026-12-18T10:00:00.000Z", amount: 990 },
      due: { date: due.toISOString() },
    });
  });

  it("of a missed period begins with the payment, also after midnight", () => {
    const period = { duration: 1, unit: "month" } as const;
    const due = new Date("2026-10-05T10:00:00.000Z");
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
    const before = dueOfferOf(contract, new Date("2026-11-20T22:59:00.000Z"));
    const after = dueOfferOf(contract, new Date("2026-11-20T23:01:00.000Z"));
    expect(before.due).toEqual({ date: "2026-11-20T22:59:00.000Z" });
    for (const text of [orderText(before), describeOffer(before)]) {
      expect(text).toMatch(/20\snov\.\s2026/);
      expect(text).not.toMatch(/5\soct/);
    }
    expect(wasShown(before.statement, after)).toBe(true);
  });

  it("of a contract paid by hand names no debit, nor a card that is kept", () => {
    const period = { duration: 1, unit: "month" } as const;
    const due = new Date("2026-11-18T10:00:00.000Z");
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
    const kept = dueOfferOf(contract, now);
    const offers = [undefined, "2026-12-10T10:00:00.000Z", "2027-02-01T10:00:00.000Z"].map((stop) =>
      dueOfferOf({ ...contract, paidByHand: true, ...(stop && { stopsAt: new Date(stop) }) }, now),
    );
    for (const offer of offers) {
      expect(offer.nextDebit).toBeNull();
      expect(wasShown(offer.statement, offer)).toBe(true);
      expect(wasShown(kept.statement, offer)).toBe(false);
      for (const text of [orderText(offer), describeOffer(offer)]) {
        expect(text).not.toMatch(/remplace|reconduite|puis 9,90/);
        expect(/résiliation/.test(text)).toBe(offer.endsAt !== undefined);
        expect(/chaque période suivante/.test(text)).toBe(offer !== offers[1]);
      }
      const words = offer === offers[1] ? /aucun\s: une.*dernière période/s : /aucun sans vous/;
      expect(orderText(offer)).toMatch(words);
    }
    expect(offers.map(({ endsAt }) => endsAt)).toEqual([
      undefined,
      "2026-12-18T10:00:00.000Z",
      "2027-02-18T10:00:00.000Z",
    ]);
  });

  it("of a contract that ends with the paid period names its end, and no debit after it", () => {
    const period = { duration: 1, unit: "month" } as const;
    const due = new Date("2026-11-18T10:00:00.000Z");
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
    const stoppedAt = (moment: string) =>
      dueOfferOf({ ...contract, stopsAt: new Date(moment) }, now);
    const last = stoppedAt("2026-12-18T09:59:59.999Z");
    expect(last).toMatchObject({ nextDebit: null, endsAt: "2026-12-18T10:00:00.000Z" });
    expect(last.statement).toMatch(/\|end-2026-12-18\|2026-11-18\|/);
    expect(wasShown(last.statement, last)).toBe(true);
    for (const text of [orderText(last), describeOffer(last)]) {
      expect(text).toMatch(/le contrat prend fin le 18\sdéc\.\s2026/i);
      expect(text).not.toMatch(/reconduite|puis 9,90|le 18\sdéc\.\s2026, puis/);
    }
    const goesOn = stoppedAt("2026-12-18T10:00:00.000Z");
    expect(nextDay(goesOn.nextDebit)).toBe("2026-12-18");
    expect(goesOn.endsAt).toBe("2027-01-18T10:00:00.000Z");
    expect(wasShown(last.statement, goesOn)).toBe(false);
  });

  it.each(["2026-12-10", "2027-02-10"])(
    "of a missed period with an end planned for %s counts as shown after midnight, and no longer",
    (stop) => {
      const period = { duration: 1, unit: "month" } as const;
      const due = new Date("2026-10-05T10:00:00.000Z");
      const stopsAt = new Date(`${stop}T10:00:00.000Z`);
      const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
      const offerAt = (moment: string) => dueOfferOf({ ...contract, stopsAt }, new Date(moment));
      const before = offerAt("2026-11-20T22:59:00.000Z");
      const after = offerAt("2026-11-20T23:01:00.000Z");
      expect(after.statement).not.toBe(before.statement);
      expect(wasShown(before.statement, after)).toBe(true);
      expect(wasShown(before.statement, offerAt("2026-11-21T23:01:00.000Z"))).toBe(false);
    },
  );

  it("of a contract that ends with a later period names its end, and no renewal beyond it", () => {
    const period = { duration: 1, unit: "month" } as const;
    const due = new Date("2026-11-18T10:00:00.000Z");
    const contract = { formula: "f", name: "VIP", amount: 990, due, anchor: due, period };
    const endless = dueOfferOf(contract, now);
    const offer = dueOfferOf({ ...contract, stopsAt: new Date("2027-02-01T10:00:00.000Z") }, now);
    expect(nextDay(offer.nextDebit)).toBe("2026-12-18");
    expect(offer.endsAt).toBe("2027-02-18T10:00:00.000Z");
    expect(offer.statement).toMatch(/\|2026-12-18-end-2027-02-18\|2026-11-18\|/);
    expect(wasShown(offer.statement, offer)).toBe(true);
    expect(wasShown(endless.statement, offer)).toBe(false);
    for (const text of [orderText(offer), describeOffer(offer)]) {
      expect(text).toMatch(/18\sfévr\.\s2027/);
      expect(text).not.toMatch(/tacitement/);
    }
    expect(orderText(offer)).toMatch(/le 18\sdéc\.\s2026, puis 9,90/);
  });
});
