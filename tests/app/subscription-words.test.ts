import { describe, expect, it } from "vitest";
import type { Credit, Subscription } from "~/contract/subscriptions";
import { stopEffect, subscriptionWords } from "~/i18n/subscription-words.server";
import { undoEffect } from "~/i18n/undo-words.server";

const subscriptionOf = (more: Partial<Subscription>): Subscription => ({
  amount: 990,
  trialAmount: 100,
  credits: null,
  cancelledDateTime: null,
  startedDateTime: "2026-11-20T10:00:00.000Z",
  expirationDateTime: "2026-12-27T10:00:00.000Z",
  endedDateTime: null,
  ...more,
});

const wordsOf = (more: Partial<Subscription>) => subscriptionWords(subscriptionOf(more), null);

const LATER = "2027-01-27T11:00:00+01:00";
const CREDIT = {
  debtor: "Astro Partenaire",
  way: "virement bancaire",
  delayDays: 30,
  delayAfter: "full-payment",
  conditions: "Aucune autre.",
  amount: 2000,
} as const;
const NOTICED = { receivedDateTime: LATER, refundDateTime: LATER };

it.each([
  ["active", true, {}],
  ["grace", true, { graceDateTime: LATER }],
  ["undecided", true, { isDebitUndecided: true, graceDateTime: LATER }],
  // An API that does not say how long the access lasts meanwhile.
  ["active", true, { isDebitUndecided: true }],
  ["delayed", true, { isDebitDelayed: true, graceDateTime: LATER }],
  ["active", true, { isDebitDelayed: true }],
  ["planned", true, { plannedEndDateTime: LATER }],
  ["withdrawn", false, { withdrawal: NOTICED }],
  ["inProcess", false, { cancelledDateTime: LATER }],
  ["ended", false, { endedDateTime: LATER }],
] as const)("a subscription that is %s can be stopped: %s", (state, isStoppable, more) => {
  expect(wordsOf(more)).toMatchObject({ state, isStoppable });
});

it("a stop beside an open withdrawal names its own end and the refund", () => {
  const refundDateTime = "2026-12-02T10:00:00.000Z";
  const receivedDateTime = "2026-11-25T10:00:00.000Z";
  const stopped = { cancelledDateTime: receivedDateTime };
  const subscription = subscriptionOf({
    ...stopped,
    withdrawal: { receivedDateTime, refundDateTime },
  });
  expect(stopEffect(subscription)).toMatch(
    /l’accès jusqu’au 27\sdéc.*déclarée le 25\snov.*remboursée le 2\sdéc/,
  );
  expect(stopEffect(subscriptionOf(stopped))).not.toContain("rétractation");
});

describe("a declined renewal", () => {
  const declined = { graceDateTime: LATER, dueReason: "declined" } as const;

  it("asks for nothing if the card can be charged when it is tried again", () => {
    const text = wordsOf({ ...declined, nextTryDateTime: "2027-01-03T10:00:00Z" }).dueWords?.text;
    expect(text).toMatch(/vous n’avez rien à faire.*de nouveau le 3\sjanv\.\s2027 \(9,90\s€\)/);
    expect(text).not.toContain("pour continuer");
  });

  it("asks for another card once it is not tried again", () => {
    expect(wordsOf(declined).dueWords?.text).toContain("avec une autre carte pour continuer");
  });
});

describe("a declaration without sign-in", () => {
  const cancellation = { receivedDateTime: LATER, undoDateTime: LATER };

  it("names the link of its mail only where its owner cannot undo it here", () => {
    const here = wordsOf({ cancellation, hasUnsignedNotice: true }).announced.join();
    expect(here).toContain("Vous pouvez l’annuler jusqu’au");
    expect(here).not.toContain("e\u2011mail");
    expect(wordsOf({ cancellation }).announced.join()).toContain("le lien de l’e\u2011mail");
  });
});

describe("a planned end", () => {
  it("is shown beside the debit that precedes it", () => {
    const words = wordsOf({ plannedEndDateTime: "2027-01-27T11:00:00+01:00" });
    expect(words).toMatchObject({ state: "planned" });
    expect(words.next).toMatch(/9,90\s€ le 27\sdéc/);
    expect(words.until).toMatch(/27\sjanv\.\s2027/);
    expect(words.announced.join()).toMatch(/prend fin le 27\sjanv.*prélèvements aussi/);
  });

  it("announces no debit without a card", () => {
    const plannedEndDateTime = "2027-01-27T11:00:00+01:00";
    const days = { payFromDateTime: LATER, payUntilDateTime: LATER };
    const { next, announced } = wordsOf({ plannedEndDateTime, cardMissing: days });
    expect(next).toBeNull();
    expect(announced.join(" ")).toMatch(/rien ne sera prélevé sans vous.*prend fin le 27\sjanv/);
    expect(announced.join(" ")).not.toContain("prélèvements");
  });

  it("shows no debit when its period is paid", () => {
    const words = wordsOf({
      plannedEndDateTime: "2026-12-27T11:00:00+01:00",
      dueReason: "expiring",
    });
    expect(words).toMatchObject({ state: "planned", next: null, due: null });
    expect(words.announced.join()).toMatch(
      /27\sdéc\.\s2026, et nous ne demanderons plus aucun débit/,
    );
  });

  it("does not move the debit that its card misses", () => {
    const words = wordsOf({
      plannedEndDateTime: "2027-01-27T11:00:00+01:00",
      dueReason: "expiring",
    });
    expect(words).toMatchObject({ state: "planned", due: "expiring" });
    expect(words.dueWords?.text).toMatch(/27\sdéc\.\s2026/);
    expect(words.dueWords?.text).not.toMatch(/janv/);
  });

  it("does not hide a refused renewal", () => {
    const words = wordsOf({
      plannedEndDateTime: "2027-01-27T10:00:00.000Z",
      graceDateTime: "2027-01-03T10:00:00.000Z",
      dueReason: "declined",
    });
    expect(words).toMatchObject({ state: "grace", due: "declined", next: null });
    expect(words.until).toMatch(/3\sjanv/);
    // The end, and the way to undo it.
    expect(words.announced).toHaveLength(2);
    expect(words.announced[0]).toMatch(/prend fin le 27\sjanv.*ou avant si une période n’est pas/);
    expect(words.announced.join(" ")).not.toMatch(/prélèvements aussi/);
  });
});

describe("a withdrawal that waits", () => {
  const withdrawal = {
    receivedDateTime: "2026-11-24T10:00:00.000Z",
    refundDateTime: "2026-12-01T10:00:00.000Z",
  };
  const cancelledDateTime = withdrawal.receivedDateTime;

  it("ends access with the refund, or before", () => {
    const words = wordsOf({ withdrawal, cancelledDateTime });
    expect(words).toMatchObject({ state: "withdrawn", next: null });
    expect(words.until).toMatch(/^1(?:er)?\sdéc/);
    const expirationDateTime = "2026-11-27T10:00:00.000Z";
    const paid = wordsOf({ withdrawal, cancelledDateTime, expirationDateTime });
    expect(paid.until).toMatch(/27\snov/);
  });

  it("is shown beside an ended subscription", () => {
    const words = wordsOf({ withdrawal, endedDateTime: "2026-11-27T10:00:00.000Z" });
    expect(words).toMatchObject({ state: "ended", until: null });
    expect(words.announced.join()).toMatch(/parvenue le 24\snov.*remboursée le/);
  });
});

it("a subscription without notices announces nothing", () => {
  expect(wordsOf({})).toMatchObject({ state: "active", until: null, announced: [] });
});

describe("undoing a notice while the bank decides on a debit", () => {
  it.each([
    ["undone", /continue alors\. Le débit de 9,90\s€.*dans les deux cas/],
    ["stopped", /Nous ne demanderons aucun débit\. Le débit de 9,90\s€.*peut encore réussir/],
    ["ended", /Le débit de 9,90\s€.*remboursé\.$/],
  ] as const)("names it where the contract is %s", (status, words) => {
    expect(undoEffect({ status, undecidedAmount: 990 })).toMatch(words);
  });
});

it("undoing a notice says that only a debit by us may be presented again", () => {
  const effectOf = (own: object) => undoEffect({ status: "undone", undecidedAmount: 990, ...own });
  expect(effectOf({})).toContain("il peut être présenté de nouveau");
  expect(effectOf({ isUndecidedOwn: true })).toMatch(
    /paiement de 9,90\s€.*n’est pas présenté de nouveau, et la période reste à payer/,
  );
});

describe("undoing a notice of a contract on hold", () => {
  it("names the renewal that is due if the money returns", () => {
    const words = undoEffect({ status: "onHold", holdUntilDateTime: LATER, renewalAmount: 990 });
    expect(words).toMatch(/reste alors suspendu.*avant le 27\sjanv\.\s2027.*au prix de 9,90\s€/);
  });
});

it("a payment before its day ends no access", () => {
  const expirationDateTime = "2027-01-27T10:00:00.000Z";
  const early = { isDebitUndecided: true, expirationDateTime } as const;
  const told = (graceDateTime: string) => wordsOf({ ...early, graceDateTime }).announced.join(" ");
  expect(told(expirationDateTime)).toContain("vous gardez l’accès dans les deux cas");
  expect(told(expirationDateTime)).not.toContain("au plus tard");
  expect(told("2027-02-03T10:00:00.000Z")).toContain("au plus tard jusqu’au");
});

describe("a credit that awaits its debit", () => {
  const credit = {
    ...CREDIT,
    status: "awaited",
    lapse: "if-stopped",
  } as const;
  const stateOf = (more: Partial<Subscription>) => wordsOf({ credit, ...more }).credit?.state;

  it("is expected on a day if the next debit succeeds", () => {
    expect(stateOf({})).toMatch(
      /prévu vers le 26\sjanv\.\s2027, si le débit du 27\sdéc\.\s2026 réussit/,
    );
  });

  it.each<Partial<Subscription>>([
    { credit: { ...credit, lapse: "stopped" }, cancelledDateTime: LATER },
    { graceDateTime: LATER, dueReason: "declined", nextTryDateTime: LATER },
    { cardMissing: { payFromDateTime: LATER, payUntilDateTime: LATER } },
    { isDebitUndecided: true, graceDateTime: LATER },
    { withdrawal: NOTICED, cancelledDateTime: LATER },
    { plannedEndDateTime: "2026-12-27T10:00:00.000Z" },
    { credit: { ...credit, delayDays: 10 } },
    { credit: { ...credit, delayAfter: "order" } },
  ])("has no expected day where nobody knows it: %j", (more) => {
    expect(stateOf(more)).not.toMatch(/\d/);
  });
});

it.each<Partial<Credit>>([
  { status: "due", dueDateTime: LATER },
  { status: "awaited", dueDateTime: LATER },
])("a credit on which a bank decides is not said to be paid or promised: %j", (more) => {
  const credit = { ...CREDIT, status: "awaited", isHeld: true, ...more } as const;
  const { state, onStop, onDeletion } = wordsOf({ credit }).credit ?? {};
  expect(state).toMatch(/^en attente/);
  for (const words of [onStop, onDeletion]) {
    expect(words).toMatchObject({ isLost: false });
    expect(words?.text).toContain("en attente");
    expect(words?.text).not.toContain("promis");
  }
});

it.each<[Partial<Credit>, RegExp]>([
  [{ status: "awaited" }, /écrirons s’il devient dû/],
  [{ status: "awaited", isHeld: true }, /écrirons s’il devient dû/],
  [{ status: "due" }, /écrirons quand son paiement sera noté, ou s’il n’est plus dû/],
  [{ status: "due", isHeld: true }, /écrirons quand son paiement sera noté, ou s’il n’est plus dû/],
])("a deletion announces the mails about a credit that are sent: %j", (more, mails) => {
  const credit = { ...CREDIT, status: "awaited", dueDateTime: LATER, ...more } as const;
  expect(wordsOf({ credit }).credit?.onDeletion?.text).toMatch(mails);
});

it("a credit that waits for the bank before it is earned is lost by a stop", () => {
  const credit = { ...CREDIT, status: "awaited", isHeld: true, lapse: "if-stopped" } as const;
  const { state, onStop, onDeletion } = wordsOf({ credit, endedDateTime: LATER }).credit ?? {};
  expect(state).toMatch(/^en attente/);
  expect([onStop?.isLost, onDeletion?.isLost]).toEqual([true, true]);
});

describe("a credit that a stop has lost", () => {
  const whileStopped = { ...CREDIT, status: "awaited", lapse: "stopped" } as const;
  const afterTheEnd = { ...CREDIT, status: "void", reason: "ended" } as const;
  const ended = { cancelledDateTime: LATER, endedDateTime: LATER };

  it.each<Partial<Subscription>>([
    { credit: whileStopped, cancelledDateTime: LATER, continuesIfUndone: true },
    { credit: afterTheEnd, ...ended, continuesIfUndone: true },
  ])("is lost for good by deletion or withdrawal where undoing the stop brings it back", (more) => {
    const { onDeletion, onWithdrawal } = wordsOf(more).credit ?? {};
    expect(onDeletion?.text).toContain("20,00");
    expect([onDeletion?.isLost, onWithdrawal?.isLost]).toEqual([true, true]);
  });

  it("is lost for good by the owner's own stop, while the contract has not ended", () => {
    const more = { cancelledDateTime: LATER, continuesIfUndone: true } as const;
    const { onStop } = wordsOf({ ...more, credit: whileStopped }).credit ?? {};
    expect(onStop).toMatchObject({ isLost: true });
    expect(onStop?.text).toContain("20,00");
    const over = wordsOf({ ...more, ...ended, credit: afterTheEnd }).credit;
    expect(over?.onStop).toBeNull();
    const own = wordsOf({ cancelledDateTime: LATER, credit: whileStopped }).credit;
    expect(own?.onStop).toBeNull();
  });

  it("is not promised beside an open withdrawal", () => {
    const owed = { ...CREDIT, status: "awaited", dueDateTime: LATER } as const;
    const more = { cancelledDateTime: LATER, credit: owed };
    expect(wordsOf(more).credit?.onStop).toMatchObject({ isLost: false });
    expect(wordsOf({ ...more, withdrawal: NOTICED }).credit?.onStop).toBeNull();
  });

  it.each<Partial<Subscription>>([
    { credit: whileStopped, cancelledDateTime: LATER },
    { credit: afterTheEnd, ...ended },
    { credit: { ...afterTheEnd, reason: "refunded" }, ...ended, continuesIfUndone: true },
  ])("cannot be lost once more: %j", (more) => {
    const { onDeletion, onWithdrawal } = wordsOf(more).credit ?? {};
    expect([onDeletion, onWithdrawal]).toEqual([null, null]);
  });
});

it("undoing one of two stops names no link that may not exist", () => {
  const words = undoEffect({ status: "stopped" });
  expect(words).toContain("Un arrêt demandé depuis le compte reste");
  expect(words).toContain("par le lien de son message, s’il en a un");
});

describe("a credit of a period paid early", () => {
  const credit = {
    ...CREDIT,
    status: "awaited",
    dueDateTime: LATER,
    lapse: "if-deleted",
  } as const;

  it("is lost with the account, but not with a stop", () => {
    const words = wordsOf({ credit }).credit;
    expect(words?.onDeletion).toMatchObject({ isLost: true });
    expect(words?.onDeletion?.text).toMatch(/20,00\s€ est perdu.*payé d’avance vous est rendu/);
    expect(words?.onStop).toMatchObject({ isLost: false });
  });
});
