import type { Letter, LetterOf } from "../../server/platform/mail/letters";
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

export const receipt = {
  kind: "receipt" as const,
  site,
  amount: 990,
  date: MORNING,
  periodEnd: MONTH_LATER,
  cardHint: "411111******1111",
};

export const renewalNotice = {
  kind: "renewal-notice" as const,
  site,
  amount: 9990,
  date: MORNING,
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
};

const declined = {
  kind: "renewal-declined" as const,
  site,
  amount: 990,
  needs: null,
  retryAt: MORNING,
  graceUntil: WEEK_LATER,
  payUrl: "https://cap.example/pay",
};

const ended = {
  kind: "subscription-ended" as const,
  site,
  endedAt: MORNING,
  deletedAt: null,
  cause: "unpaid" as const,
  registerUrl: "https://cap.example/registration",
};

const answered = {
  kind: "answer-arrived" as const,
  site,
  coach: "Solène",
  title: "Mon ascendant",
  answer: "Bonjour Ada,\n\nvotre ascendant est en Lion.\nÀ bientôt",
  takesReplies: false,
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

const refusedReply = {
  kind: "reply-refused" as const,
  site,
  title: "Mon ascendant",
  url: "https://cap.example/contact/link",
};

const deleted = { kind: "account-deleted" as const, site, date: MORNING, refunded: 0 };

const release = {
  kind: "address-release" as const,
  site,
  validUntil: WEEK_LATER,
  openUntil: null,
  releaseUrl: "https://cap.example/registration/release?token=Zm9v_-",
};

/** One letter of each kind, and its variants when a fact is missing. */
const letters: { [Kind in Letter["kind"]]: LetterOf<Kind>[] } = {
  welcome: [
    {
      kind: "welcome",
      site,
      offer: "VIP",
      reference: "contrat-1",
      accountUrl: "https://cap.example/account",
    },
  ],
  receipt: [receipt, { ...receipt, cardHint: null }],
  "renewal-notice": [renewalNotice],
  "renewal-declined": [
    declined,
    { ...declined, retryAt: null },
    { ...declined, needs: "card" },
    { ...declined, needs: "card", retryAt: null },
    { ...declined, needs: "confirmation", retryAt: null },
  ],
  "renewal-delayed": [
    {
      kind: "renewal-delayed",
      site,
      amount: 990,
      graceUntil: WEEK_LATER,
      accountUrl: "https://cap.example/account/subscription",
    },
  ],
  "trial-ending": [
    {
      kind: "trial-ending",
      site,
      amount: 990,
      date: WEEK_LATER,
      cancelUrl: "https://cap.example/account/subscription",
    },
  ],
  "card-expiring": [
    {
      kind: "card-expiring",
      site,
      amount: 990,
      expiry: "2026-11",
      date: MONTH_LATER,
      payUrl: "https://cap.example/registration/payment",
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
    payUrl: "https://cap.example/registration/payment",
  })),
  "stop-confirmed": [{ kind: "stop-confirmed", site, endsAt: MONTH_LATER }],
  "subscription-ended": [
    ended,
    { ...ended, cause: "not charged" },
    { ...ended, cause: "returned" },
    { ...ended, cause: "stopped", deletedAt: WEEK_LATER },
  ],
  "account-deleted": [deleted, { ...deleted, refunded: 990 }],
  "cancellation-receipt": [
    cancellation,
    { ...cancellation, isPlanned: true },
    { ...cancellation, notice: { ...notice, reference: null, wishedDate: null } },
  ],
  "cancellation-without-effect": [
    { kind: "cancellation-without-effect", site, notice, endsAt: MONTH_LATER },
    { kind: "cancellation-without-effect", site, notice, endsAt: null },
  ],
  "withdrawal-without-effect": [
    { kind: "withdrawal-without-effect", site, notice, refunded: 100 },
    { kind: "withdrawal-without-effect", site, notice, refunded: null },
  ],
  "cancellation-undone": [
    { kind: "cancellation-undone", site, date: MORNING, debit: null },
    ...(["now", "later", "by hand"] as const).map((when) => ({
      kind: "cancellation-undone" as const,
      site,
      date: MORNING,
      debit: { when, amount: 990, date: MONTH_LATER },
    })),
  ],
  "withdrawal-undone": [
    { kind: "withdrawal-undone", site, date: MORNING, debit: null },
    ...(["now", "later", "by hand"] as const).map((when) => ({
      kind: "withdrawal-undone" as const,
      site,
      date: MORNING,
      debit: { when, amount: 990, date: MONTH_LATER },
    })),
  ],
  "withdrawal-receipt": [
    { kind: "withdrawal-receipt", site, notice, refunded: 100 },
    { kind: "withdrawal-receipt", site, notice, refunded: 0 },
  ],
  "withdrawal-to-confirm": [
    {
      kind: "withdrawal-to-confirm",
      site,
      notice,
      confirmUntil: MONTH_LATER,
      confirmUrl: "https://cap.example/withdrawal/confirm?token=Zm9v",
    },
  ],
  refund: [{ kind: "refund", site, amount: 123_456, date: MORNING }],
  "address-release": [release, { ...release, openUntil: MONTH_LATER }],
  "payment-disputed": [{ kind: "payment-disputed", site, amount: 990 }],
  "access-returned": [{ kind: "access-returned", site, openUntil: MONTH_LATER }],
  "password-reset": [
    {
      kind: "password-reset",
      site,
      validUntil: MORNING,
      resetUrl: "https://cap.example/reset-password/update?token=Zm9v_-",
    },
  ],
  "password-changed": [
    {
      kind: "password-changed",
      site,
      date: MORNING,
      resetUrl: "https://cap.example/reset-password",
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
  "answer-arrived": [answered, { ...answered, takesReplies: true }],
  "attachment-refused": [
    { ...attached, textArrived: true },
    { ...attached, textArrived: false },
  ],
  "reply-refused": [
    { ...refusedReply, reason: "wrong sender", title: null },
    ...(["closed", "not a message", "too many", "too big"] as const).map((reason) => ({
      ...refusedReply,
      reason,
    })),
  ],
  "coach-invited": [
    invited,
    { ...invited, hadPassword: true },
    { ...invited, hadPassword: true, passwordUrl: null },
  ],
};

export const LETTERS: Letter[] = Object.values(letters).flat();
