import type { Letter, LetterOf, Refunded } from "../../server/platform/mail/letters";
import { siteAt } from "./site-names";

const site = siteAt("https://cap.example");
const MORNING = "2026-11-20T09:15:00.000Z";
const WEEK_LATER = "2026-11-27T09:15:00.000Z";
const MONTH_LATER = "2026-12-20T09:15:00.000Z";

export const notice = {
  name: "Ada Lovelace",
  email: "ada@example.org",
  reference: "C-2026-17",
  receivedAt: MORNING,
  wishedDate: "2026-12-01",
};

const contract = { reference: "C-2026-17", orderedAt: MORNING, hasOthers: false };

export const receipt = {
  kind: "receipt" as const,
  site,
  service: "VIP mensuel",
  reference: "KpRv5dT2",
  client: "Ada Byron",
  amount: 990,
  date: MORNING,
  periodEnd: MONTH_LATER,
  cardHint: "411111******1111",
  nextDebit: { date: MONTH_LATER, amount: 990 },
  isUnannounced: false,
  plannedEnd: null,
  cancelUrl: "https://cap.example/account/subscription",
};

export const renewalNotice = {
  kind: "renewal-notice" as const,
  site,
  amount: 9990,
  date: MORNING,
  isTrial: false,
  cancelUrl: "https://cap.example/stop",
};

export const cancellation = {
  kind: "cancellation-receipt" as const,
  site,
  notice,
  endsAt: MONTH_LATER,
  undoUrl: "https://cap.example/undo?t=Zm9v_-&x=1",
  undoUntil: WEEK_LATER,
  isPlanned: false,
  isUnpaid: false,
  isStopped: false,
  plannedEnd: MONTH_LATER,
  isOver: false,
  isUndoableAfterEnd: false,
  withdrawableUntil: null,
  credit: null,
  undecidedDebit: null,
  isUnannounced: false,
  debitsAhead: null,
};

const none = { named: [], further: 0 };
const nothing: Refunded = {
  amount: 0,
  owed: 0,
  isUndecided: false,
  elsewhere: 0,
  isFree: false,
  undecidedDebit: null,
};

const several = {
  named: [
    { kind: "cancellation" as const, receivedAt: MORNING, wishedDate: null },
    { kind: "withdrawal" as const, receivedAt: MORNING },
    { kind: "cancellation" as const, receivedAt: MORNING, wishedDate: "2027-01-15" },
  ],
  further: 3,
};

const undoneFacts = {
  site,
  date: MORNING,
  undone: { ...several, named: several.named.slice(0, 1), further: 0 },
  contract: { reference: "C-2026-17", orderedAt: MORNING },
  debit: null,
  plannedEnd: null,
  creditAmount: null,
  isOver: false,
  onHold: null,
  withdrawableUntil: null,
  undecidedDebit: null,
};

const STATES = [
  { isStopped: false, isOver: false },
  { isStopped: true, isOver: false },
  { isStopped: true, isOver: true },
];
const late = {
  deadline: MORNING,
  debit: null,
  endsAt: null,
  isOver: false,
  holdUntil: null,
  undecidedDebit: null,
};

const returned: LetterOf<"access-returned"> = {
  kind: "access-returned",
  site,
  openUntil: MONTH_LATER,
  isRefundGivenUp: false,
  debit: null,
  plannedEnd: null,
};

const UNDECIDED = { debit: { when: "undecided" as const, amount: 990 }, undecidedDebit: 990 };

const declaredLate = {
  kind: "withdrawal-without-effect" as const,
  site,
  notice,
  refunded: null,
};

const unfounded = {
  kind: "cancellation-without-effect" as const,
  site,
  notice,
  endsAt: null,
  undecidedDebit: null,
  isUnannounced: false,
  withdrawableUntil: null,
};

const declined = {
  kind: "renewal-declined" as const,
  site,
  amount: 990,
  needs: null,
  retryAt: MORNING,
  stopsAt: null,
  graceUntil: WEEK_LATER,
  isReminder: false,
  payUrl: "https://cap.example/pay",
};

const stopped = {
  kind: "stop-confirmed" as const,
  site,
  receivedAt: MORNING,
  endsAt: MONTH_LATER,
  isOnHold: false,
  credit: null,
  undecidedDebit: null,
  isUnannounced: false,
};

const ended = {
  kind: "subscription-ended" as const,
  site,
  endedAt: MORNING,
  deletedAt: null,
  keptFor: null,
  cause: "unpaid" as const,
  undecidedDebit: null,
  receivedAt: null,
  stoppedBy: "cancellation" as const,
  holdUntil: null,
  withdrawableUntil: null,
  lostCredit: null,
  rest: 0,
  renewed: 0,
  registerUrl: "https://cap.example/registration",
};

const answered = {
  kind: "answer-arrived" as const,
  site,
  coach: "Solène",
  title: "Mon ascendant",
  answer: "Bonjour Ada,\n\nvotre ascendant est en Lion.\nÀ bientôt",
  takesReplies: false,
  isShut: false,
  closed: null,
  url: "https://cap.example/coaching/d1",
};

const invited = {
  kind: "coach-invited" as const,
  site,
  name: "Solène",
  hadPassword: false,
  passwordUrl: "https://cap.example/reset-password/update?token=Zm9v",
  deskUrl: "https://cap.example/desk",
};

const attached = {
  kind: "attachment-refused" as const,
  site,
  title: "Mon ascendant",
  url: "https://cap.example/coaching",
};

export const refusedReply = {
  kind: "reply-refused" as const,
  site,
  title: "Mon ascendant",
  isRequest: false,
  url: "https://cap.example/contact/link",
};

const deleted = {
  kind: "account-deleted" as const,
  site,
  date: MORNING,
  refunded: 0,
  rest: 0,
  lostCredit: null,
  withdrawableUntil: null,
  isPaying: false,
  pendingWithdrawal: null,
};

const release = {
  kind: "address-release" as const,
  site,
  validUntil: WEEK_LATER,
  openUntil: null,
  hasUnsignedNotice: false,
  releaseUrl: "https://cap.example/registration/release?token=Zm9v_-",
};

const welcomed = {
  kind: "welcome" as const,
  site,
  offer: "VIP",
  credit: null,
  reference: "contrat-1",
  accountUrl: "https://cap.example/account",
  withdrawableUntil: MONTH_LATER,
  terms: { title: "Conditions", html: "<p>Article 1.</p>" },
  acceptance: null,
};

export const termsChanged: LetterOf<"terms-changed"> = {
  kind: "terms-changed",
  site,
  appliesAt: MONTH_LATER,
  termsUrl: `https://cap.example/terms-of-service/${"0".repeat(64)}`,
  terms: { title: "Conditions", html: "<p>Article 1.</p>" },
  replaces: null,
};

const credit = {
  site,
  amount: 2000,
  debtor: "Astro Partenaire",
  way: "virement bancaire",
  reference: "contrat-1",
  isFormer: false,
  url: "https://cap.example/account/contract",
};
const formers = { ...credit, isFormer: true, url: "https://cap.example/contact" };

/** One letter of each kind, and its variants when a fact is missing. */
const letters: { [Kind in Letter["kind"]]: LetterOf<Kind>[] } = {
  welcome: [welcomed, { ...welcomed, credit: "20,00 € que vous verse Astro, par virement" }],
  "terms-changed": [
    termsChanged,
    { ...termsChanged, replaces: { toldAt: MORNING, hasOtherText: true } },
    { ...termsChanged, replaces: { toldAt: MORNING, hasOtherText: false } },
  ],
  "terms-kept": [
    {
      kind: "terms-kept",
      site,
      termsUrl: `https://cap.example/terms-of-service/${"0".repeat(64)}`,
    },
  ],
  receipt: [
    receipt,
    { ...receipt, client: null, cardHint: null, nextDebit: null },
    { ...receipt, amount: 0 },
    { ...receipt, amount: 0, nextDebit: null },
    { ...receipt, plannedEnd: MONTH_LATER },
    { ...receipt, isUnannounced: true },
    { ...receipt, nextDebit: null, plannedEnd: WEEK_LATER },
  ],
  "renewal-notice": [renewalNotice, { ...renewalNotice, isTrial: true }],
  "renewal-declined": [
    declined,
    { ...declined, retryAt: null },
    { ...declined, retryAt: null, stopsAt: MORNING },
    { ...declined, needs: "card", retryAt: null },
    { ...declined, needs: "confirmation", retryAt: null },
    { ...declined, needs: "card", retryAt: null, isReminder: true },
    { ...declined, needs: "confirmation", retryAt: null, isReminder: true },
  ],
  "payment-refused": ["https://cap.example/login?returnTo=%2Fregistration%2Fpayment", null].map(
    (payUrl) => ({
      kind: "payment-refused",
      site,
      amount: 990,
      payUrl,
    }),
  ),
  "renewal-delayed": [false, true].map((isAsked) => ({
    kind: "renewal-delayed",
    site,
    isAsked,
    amount: 990,
    graceUntil: WEEK_LATER,
    accountUrl: "https://cap.example/account/subscription",
  })),
  "trial-ending": [null, MONTH_LATER].map((plannedEnd) => ({
    kind: "trial-ending",
    site,
    amount: 990,
    date: WEEK_LATER,
    plannedEnd,
    cancelUrl: "https://cap.example/account/subscription",
  })),
  "card-expiring": [
    {
      kind: "card-expiring",
      site,
      amount: 990,
      expiry: "2026-11",
      date: MONTH_LATER,
      payUrl: "https://cap.example/login?returnTo=%2Fregistration%2Fpayment",
    },
  ],
  "card-missing": (["before", "due", "last"] as const).map((when) => ({
    kind: "card-missing",
    site,
    amount: 990,
    date: WEEK_LATER,
    when,
    payFrom: when === "before" ? MORNING : null,
    payUntil: MONTH_LATER,
    payUrl: "https://cap.example/login?returnTo=%2Fregistration%2Fpayment",
  })),
  "stop-confirmed": [
    ...[null, { amount: 2000, isLost: true }, { amount: 2000, isLost: false }].flatMap((credit) =>
      [null, 990].flatMap((undecidedDebit) =>
        [false, true].map((isOnHold) => ({
          ...stopped,
          isOnHold,
          credit,
          undecidedDebit,
          isUnannounced: !isOnHold && credit === null,
          withdrawableUntil: isOnHold ? null : WEEK_LATER,
        })),
      ),
    ),
    ...[null, { reference: "0198-abcd", orderedAt: MORNING }].map((besideOther) => ({
      ...stopped,
      isOnHold: true,
      isWrittenEnd: true,
      besideOther,
    })),
    { ...stopped, isWithdrawing: true },
  ],
  "planned-stop": [null, WEEK_LATER].flatMap((undoUntil) =>
    [false, true].map((isOnHold) => ({
      kind: "planned-stop",
      site,
      reference: "01936f2e-0000-7000-8000-000000000001",
      receivedAt: MORNING,
      plannedFor: WEEK_LATER,
      endsAt: MONTH_LATER,
      isOnHold,
      undoUntil,
      subscriptionUrl: "https://cap.example/account/subscription",
      credit: null,
      undecidedDebit: undoUntil === null ? null : 990,
      isUnannounced: !isOnHold && undoUntil === null,
    })),
  ),
  "subscription-ended": [
    ended,
    { ...ended, cause: "not charged" },
    { ...ended, cause: "undecided", undecidedDebit: 990 },
    { ...ended, cause: "returned" },
    { ...ended, cause: "returned", holdUntil: MONTH_LATER },
    { ...ended, cause: "stopped", receivedAt: MORNING, stoppedBy: "withdrawal" },
    { ...ended, cause: "stopped", deletedAt: WEEK_LATER },
    { ...ended, cause: "stopped", lostCredit: 2000 },
    { ...ended, cause: "stopped", rest: 2083, receivedAt: MORNING, keptFor: "refund" },
    { ...ended, cause: "stopped", rest: 14, renewed: 2500, receivedAt: MORNING, keptFor: "refund" },
    { ...ended, cause: "stopped", receivedAt: MORNING, withdrawableUntil: WEEK_LATER },
    { ...ended, cause: "stopped", lostCredit: 2000, keptFor: "cancellation" },
    { ...ended, cause: "withdrawn", keptFor: "refund" },
    ...(["dispute", "payment", "withdrawal", "cancellation"] as const).map((keptFor) => ({
      ...ended,
      cause: "stopped" as const,
      undecidedDebit: keptFor === "payment" ? 990 : null,
      keptFor,
    })),
  ],
  "account-deleted": [
    deleted,
    { ...deleted, refunded: 990 },
    { ...deleted, rest: 2083 },
    { ...deleted, rest: 2083, refunded: 2500 },
    { ...deleted, withdrawableUntil: WEEK_LATER },
    { ...deleted, lostCredit: 2000 },
    { ...deleted, isPaying: true },
    { ...deleted, pendingWithdrawal: { receivedAt: MORNING, refundAt: WEEK_LATER } },
  ],
  "account-idle": [
    {
      kind: "account-idle",
      site,
      lastUsedAt: MORNING,
      deletedAt: MONTH_LATER,
      accountUrl: "https://cap.example/account",
    },
  ],
  "cancellation-receipt": [
    cancellation,
    { ...cancellation, isPlanned: true },
    ...[0, 1, 2].map((count) => ({
      ...cancellation,
      isPlanned: true,
      debitsAhead: { count, amount: 990 },
    })),
    { ...cancellation, isPlanned: true, isUnpaid: true },
    { ...cancellation, isUndoableAfterEnd: true },
    { ...cancellation, withdrawableUntil: WEEK_LATER },
    { ...cancellation, isStopped: true },
    { ...cancellation, isPlanned: true, isStopped: true },
    { ...cancellation, isPlanned: true, isStopped: true, isUnpaid: true },
    {
      ...cancellation,
      isPlanned: true,
      isStopped: true,
      credit: { amount: 2000, isLost: true },
    },
    { ...cancellation, isPlanned: true, endsSooner: true },
    {
      ...cancellation,
      isPlanned: true,
      endsSooner: true,
      debitsAhead: { count: 1, amount: 990 },
    },
    { ...cancellation, isOver: true },
    { ...cancellation, isPlanned: true, isOver: true },
    { ...cancellation, isOver: true, undecidedDebit: 990 },
    { ...cancellation, undecidedDebit: 990 },
    { ...cancellation, isUnannounced: true },
    { ...cancellation, credit: { amount: 2000, isLost: true } },
    { ...cancellation, notice: { ...notice, name: "", email: "", reference: null } },
    { ...cancellation, notice: { ...notice, contract: { ...contract, hasOthers: true } } },
    { ...cancellation, notice: { ...notice, reference: null, wishedDate: null } },
  ],
  "notice-covered": (["cancellation", "withdrawal"] as const).flatMap((declared) =>
    [null, 990].map((undecidedDebit) => ({
      kind: "notice-covered",
      site,
      declared,
      notice,
      endsAt: declared === "cancellation" ? MONTH_LATER : null,
      undecidedDebit,
      isUnannounced: declared === "cancellation" && undecidedDebit === null,
      withdrawableUntil: declared === "cancellation" ? MONTH_LATER : null,
    })),
  ),
  "cancellation-without-effect": [
    { ...unfounded, endsAt: MONTH_LATER },
    { ...unfounded, endsAt: MONTH_LATER, withdrawableUntil: MONTH_LATER },
    { ...unfounded, endsAt: MONTH_LATER, isUnannounced: true },
    { ...unfounded, endsAt: MONTH_LATER, undecidedDebit: 990 },
    unfounded,
    { ...unfounded, isOrderUndecided: true },
  ],
  "withdrawal-without-effect": [
    ...[
      { amount: 100 },
      { owed: 100 },
      { owed: 100, isUndecided: true },
      { amount: 100, elsewhere: 100 },
      { amount: 1090, elsewhere: 100 },
    ].map((refunded) => ({ ...declaredLate, refunded: { ...nothing, ...refunded }, late: null })),
    { ...declaredLate, late: null },
    { ...declaredLate, late: null, isOrderUndecided: true },
    ...[null, 990].map((undecidedDebit) => ({
      ...declaredLate,
      late: null,
      open: { receivedAt: MORNING, refundAt: WEEK_LATER, undecidedDebit },
    })),
    ...(["now", "later", "by hand"] as const).map((when) => ({
      ...declaredLate,
      late: { ...late, debit: { when, amount: 990, date: MONTH_LATER } },
    })),
    { ...declaredLate, late: { ...late, debit: { when: "now", amount: 990, date: null } } },
    { ...declaredLate, late: { ...late, ...UNDECIDED } },
    { ...declaredLate, late: { ...late, endsAt: MONTH_LATER } },
    { ...declaredLate, late: { ...late, endsAt: MONTH_LATER, undecidedDebit: 990 } },
    { ...declaredLate, late: { ...late, endsAt: MORNING, isOver: true } },
    { ...declaredLate, late: { ...late, endsAt: MORNING, isOver: true, holdUntil: MONTH_LATER } },
  ],
  "cancellation-noted": [{ kind: "cancellation-noted", site, notice }],
  "withdrawal-noted": [{ kind: "withdrawal-noted", site, notice }],
  "cancellation-undone": [
    { ...undoneFacts, kind: "cancellation-undone" },
    { ...undoneFacts, kind: "cancellation-undone", withdrawableUntil: WEEK_LATER },
    { ...undoneFacts, kind: "cancellation-undone", undecidedDebit: 990 },
    { ...undoneFacts, kind: "cancellation-undone", ...UNDECIDED },
    { ...undoneFacts, kind: "cancellation-undone", creditAmount: 2000 },
    {
      ...undoneFacts,
      kind: "cancellation-undone",
      debit: { when: "later", amount: 990, date: WEEK_LATER },
      plannedEnd: MONTH_LATER,
    },
    {
      ...undoneFacts,
      kind: "cancellation-undone",
      debit: { when: "now", amount: 990, date: null },
      plannedEnd: MONTH_LATER,
    },
    { ...undoneFacts, kind: "cancellation-undone", undone: several },
    ...[990, null].map((renewal) => ({
      ...undoneFacts,
      kind: "cancellation-undone" as const,
      isOver: true,
      onHold: { until: MONTH_LATER, renewal },
    })),
    ...(["now", "later", "by hand"] as const).map((when) => ({
      ...undoneFacts,
      kind: "cancellation-undone" as const,
      debit: { when, amount: 990, date: MONTH_LATER },
    })),
  ],
  "withdrawal-undone": [
    { ...undoneFacts, kind: "withdrawal-undone" },
    { ...undoneFacts, kind: "withdrawal-undone", isOver: true },
    { ...undoneFacts, kind: "withdrawal-undone", isOver: true, undecidedDebit: 990 },
    { ...undoneFacts, kind: "withdrawal-undone", ...UNDECIDED },
    ...(["now", "later", "by hand"] as const).map((when) => ({
      ...undoneFacts,
      kind: "withdrawal-undone" as const,
      debit: { when, amount: 990, date: MONTH_LATER },
    })),
  ],
  "withdrawal-receipt": [
    {
      kind: "withdrawal-receipt",
      site,
      notice,
      settled: none,
      refunded: { ...nothing, amount: 100 },
      credit: null,
    },
    {
      kind: "withdrawal-receipt",
      site,
      notice,
      settled: several,
      refunded: nothing,
      credit: null,
    },
    {
      kind: "withdrawal-receipt",
      site,
      notice,
      settled: none,
      refunded: { ...nothing, isFree: true },
      credit: null,
    },
    {
      kind: "withdrawal-receipt",
      site,
      notice,
      settled: none,
      refunded: { ...nothing, undecidedDebit: 990 },
      credit: null,
    },
    ...[true, false].map((isPaid) => ({
      kind: "withdrawal-receipt" as const,
      site,
      notice,
      settled: none,
      refunded: { ...nothing, amount: 100 },
      credit: { amount: 2000, isPaid },
    })),
  ],
  "withdrawal-to-confirm": STATES.flatMap((state) =>
    [null, 990].map((undecidedDebit) => ({
      kind: "withdrawal-to-confirm" as const,
      site,
      notice,
      confirmUntil: MONTH_LATER,
      confirmUrl: "https://cap.example/withdrawal/confirm?token=Zm9v",
      undecidedDebit,
      credit: undecidedDebit === null ? { amount: 2000, isPaid: false } : null,
      ...state,
    })),
  ),
  "credit-due": [
    { ...credit, kind: "credit-due", dueAt: MORNING },
    { ...formers, kind: "credit-due", dueAt: MORNING },
  ],
  "credit-paid": [
    { ...credit, kind: "credit-paid", paidOn: "2026-12-24" },
    { ...formers, kind: "credit-paid", paidOn: "2026-12-24" },
  ],
  "credit-void": [
    { ...credit, kind: "credit-void", reason: "refunded" },
    { ...credit, kind: "credit-void", reason: "disputed" },
    { ...credit, kind: "credit-void", reason: "returned" },
    { ...credit, kind: "credit-void", reason: "returned after a stop" },
    { ...formers, kind: "credit-void", reason: "withdrawn" },
  ],
  refund: [
    {
      kind: "refund",
      site,
      amount: 123_456,
      date: MORNING,
      paidAt: MORNING,
      contract: { reference: "0198-abcd", orderedAt: MORNING },
    },
    { kind: "refund", site, amount: 990, date: MORNING, paidAt: MORNING, contract: null },
  ],
  "refund-failed": [false, true].map((isUndecided) => ({
    kind: "refund-failed",
    site,
    amount: 990,
    isUndecided,
    paidAt: MORNING,
    contract: { reference: "0198-abcd", orderedAt: MORNING },
    contactUrl: "https://cap.example/contact",
  })),
  repaid: ["Virement du 24 décembre", null].map((reference) => ({
    kind: "repaid",
    site,
    amount: 990,
    paidOn: "2026-12-24",
    reference,
    paidAt: MORNING,
    contract: reference === null ? null : { reference: "0198-abcd", orderedAt: MORNING },
  })),
  "address-release": [
    release,
    { ...release, openUntil: MONTH_LATER },
    { ...release, hasUnsignedNotice: true },
  ],
  "payment-disputed": [{ kind: "payment-disputed", site, amount: 990 }],
  "access-returned": [
    returned,
    {
      ...returned,
      isRefundGivenUp: true,
      debit: { when: "later", amount: 990, date: MONTH_LATER },
    },
    { ...returned, debit: { when: "by hand", amount: 990, date: MONTH_LATER } },
    {
      ...returned,
      debit: { when: "later", amount: 990, date: MONTH_LATER },
      plannedEnd: MONTH_LATER,
    },
    { ...returned, debit: UNDECIDED.debit },
  ],
  "password-reset": [
    {
      kind: "password-reset",
      site,
      validUntil: MORNING,
      resetUrl: "https://cap.example/reset-password/update?token=Zm9v_-",
    },
  ],
  "email-change": [
    {
      kind: "email-change",
      site,
      validUntil: MORNING,
      confirmUrl: "https://cap.example/account/email/confirm?token=Zm9v_-",
    },
  ],
  "email-taken": [
    {
      kind: "email-taken",
      site,
      date: MORNING,
      resetUrl: "https://cap.example/reset-password",
    },
  ],
  "email-change-asked": [
    {
      kind: "email-change-asked",
      site,
      date: MORNING,
      resetUrl: "https://cap.example/reset-password",
    },
  ],
  "email-changed": [
    { isFormer: false, isOfContract: false },
    { isFormer: true, isOfContract: false },
    { isFormer: false, isOfContract: true },
    { isFormer: true, isOfContract: true },
  ].map(({ isFormer, isOfContract }) => ({
    kind: "email-changed",
    site,
    date: MORNING,
    isFormer,
    isOfContract,
    earlier: isFormer
      ? []
      : [{ subject: "Bienvenue", text: "Bonjour,\n\nMerci.", sentAt: MORNING }],
    url: `https://cap.example/${isFormer || isOfContract ? "contact" : "account"}`,
  })),
  "password-changed": [
    {
      kind: "password-changed",
      site,
      date: MORNING,
      resetUrl: "https://cap.example/reset-password",
      isFirst: false,
    },
    {
      kind: "password-changed",
      site,
      date: MORNING,
      resetUrl: "https://cap.example/reset-password",
      isFirst: true,
    },
  ],
  "ticket-received": [
    {
      kind: "ticket-received",
      site,
      name: "Ada Lovelace",
      title: "[Paiement]: Ma carte",
      receivedAt: MORNING,
      linkUntil: MONTH_LATER,
      url: "https://cap.example/contact/tickets/t1?t=Zm9v",
    },
  ],
  "support-link": [
    {
      kind: "support-link",
      site,
      linkUntil: MONTH_LATER,
      url: "https://cap.example/contact/tickets?t=Zm9v",
    },
  ],
  "answer-arrived": [
    answered,
    { ...answered, takesReplies: true },
    { ...answered, isShut: true, url: "https://cap.example/registration" },
    ...[
      { isContact: false, newThreadUrl: "https://cap.example/coaching/new-discussion" },
      { isContact: true, newThreadUrl: "https://cap.example/contact/new-ticket" },
    ].flatMap((place) =>
      [true, false].map((isLocked) => ({
        ...answered,
        takesReplies: true,
        closed: { ...place, isLocked },
      })),
    ),
  ],
  "attachment-refused": [
    { ...attached, textArrived: true },
    { ...attached, textArrived: false },
  ],
  "reply-refused": [
    { ...refusedReply, reason: "wrong sender", title: null },
    ...(["closed", "not subscribed", "not a message", "too many", "too big"] as const).map(
      (reason) => ({
        ...refusedReply,
        reason,
      }),
    ),
    { ...refusedReply, reason: "closed", isRequest: true },
  ],
  "coach-invited": [
    invited,
    { ...invited, hadPassword: true },
    { ...invited, hadPassword: true, passwordUrl: null },
  ],
};

export const LETTERS: Letter[] = Object.values(letters).flat();
