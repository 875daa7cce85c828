import type { Selectable } from "kysely";
import { rolesOf } from "../../server/platform/subscriptions/roles";
import type { Tables } from "../../server/platform/database/tables";
import type { TestPlatform } from "../support/platform";
import type { Account, Dispute, Intent } from "../support/stripe/account";
import { DAY_MS } from "./life";
import type { Shop } from "./reversals";
import { addDuration } from "~/contract/calendar";

type Contract = Tables["subscription"];

/** A payment in the ledger, with what went back of it by the books, and at Stripe. */
type Entry = {
  payment: Selectable<Tables["payment"]>;
  refunds: Selectable<Tables["refund"]>[];
  claims: Selectable<Tables["payment_claim"]>[];
  atStripe: { intent: Intent; refunded: number; disputed: number } | null;
};

export type Books = {
  now: string;
  hasAccess: boolean;
  isDeleted: boolean;
  /** Newest last. */
  contracts: Contract[];
  entries: Entry[];
  mails: { key: string | null; created_at: string }[];
  /** Jobs that failed and are tried again. */
  failing: { kind: string; error: string | null }[];
  /** What the log asks somebody to look at. */
  lines: string[];
  account: Account;
};

export async function readBooks({ platform, person, clock, lines, stripe }: Shop): Promise<Books> {
  const { database } = platform;
  const { account } = stripe;
  const { vip = false } = await rolesOf(database, person.uid, clock.now());
  const owner = database.selectFrom("account").where("uid", "=", person.uid);
  const contracts = database.selectFrom("subscription").where("account_uid", "=", person.uid);
  const waiting = database.selectFrom("job").where("done_at", "is", null);
  const { status } = await owner.select("status").executeTakeFirstOrThrow();
  return {
    now: clock.now().toISOString(),
    hasAccess: vip,
    isDeleted: status === "deleted",
    contracts: await contracts.selectAll().orderBy("started_at").execute(),
    entries: await readEntries(database, person.uid, account),
    mails: await database.selectFrom("mail").select(["key", "created_at"]).execute(),
    failing: await waiting.select(["kind", "error"]).where("error", "is not", null).execute(),
    lines,
    account,
  };
}

async function readEntries(
  database: TestPlatform["database"],
  accountUid: string,
  account: Account,
): Promise<Entry[]> {
  const owned = database.selectFrom("payment").where("account_uid", "=", accountUid);
  const payments = await owned.selectAll().orderBy("created_at").execute();
  const refunds = await database.selectFrom("refund").selectAll().execute();
  const claims = await database.selectFrom("payment_claim").selectAll().execute();
  return payments.map((payment) => ({
    payment,
    refunds: refunds.filter(({ payment_uid }) => payment_uid === payment.uid),
    claims: claims.filter(({ payment_uid }) => payment_uid === payment.uid),
    atStripe: readAtStripe(account, payment.uid),
  }));
}

function readAtStripe(account: Account, paymentUid: string): Entry["atStripe"] {
  const intent = account
    .all("payment_intent")
    .find(({ status, metadata }) => status === "succeeded" && metadata.paymentUid === paymentUid);
  if (!intent) return null;
  const disputed = account
    .all("dispute")
    .filter((made) => made.payment_intent === intent.id && isTaken(made));
  return { intent, refunded: refundedOf(account, intent), disputed: sumOf(disputed) };
}

const sumOf = (things: { amount: number }[]) => things.reduce((sum, { amount }) => sum + amount, 0);

/** What went back, or is on its way. */
export const refundedOf = (account: Account, { id }: Intent) =>
  sumOf(
    account
      .all("refund")
      .filter(({ payment_intent }) => payment_intent === id)
      .filter(({ status }) => status === "succeeded" || status === "pending"),
  );

/** Whether the bank has taken the money of a dispute. An inquiry takes none. */
export const isTaken = ({ status }: Dispute) => status !== "won" && !status.startsWith("warning");

/** What the shop has of a payment. */
const keptOf = ({ atStripe }: Entry) =>
  atStripe ? atStripe.intent.amount - atStripe.refunded - atStripe.disputed : 0;

/** The platform's own refund, which it makes once at most. */
const ownRefundOf = ({ refunds }: Entry) => refunds.find(({ made_by }) => made_by === "platform");

const isLogged = ({ lines }: Books, { payment }: Entry, words: string) =>
  lines.some((line) => line.startsWith(words) && line.includes(payment.uid));

const isGivenUp = (books: Books, entry: Entry) => isLogged(books, entry, "refund given up");
const isPaidTwice = (books: Books, entry: Entry) => isLogged(books, entry, "paid twice");

/** The log leaves the money of the payment to the operator (docs/stripe.md). */
const isLeftToOperator = (books: Books, entry: Entry) =>
  isPaidTwice(books, entry) || isGivenUp(books, entry);

const contractOf = ({ contracts }: Books, { payment }: Entry) =>
  contracts.find(({ uid, payment_uid }) =>
    payment.subscription_uid === null
      ? payment_uid === payment.uid
      : uid === payment.subscription_uid,
  );

/** What holds of one person's money and access. `breaks` names what breaks it. */
export type Invariant = { name: string; reason: string; breaks: (books: Books) => unknown[] };

/** The mails of a deleted profile are deleted with it. */
const toldToOwner =
  (breaks: Invariant["breaks"]): Invariant["breaks"] =>
  (books) =>
    books.isDeleted ? [] : breaks(books);

/** True at each moment, whatever is late, lost or undecided. */
export const ALWAYS: Invariant[] = [
  {
    name: "the books give back no more than was paid",
    reason: "docs/stripe.md: a refund returns what is left of the payment",
    breaks: ({ entries }) =>
      entries.filter(({ payment, refunds, claims }) => {
        const made = refunds.filter(({ status }) => status === "success");
        const lost = claims.filter(({ kind, status }) => kind === "dispute" && status === "lost");
        return sumOf(made) + sumOf(lost) > payment.amount;
      }),
  },
  {
    name: "access is paid for, or within the grace",
    reason: "decision 0010: a contract that is not paid ends on day 7",
    breaks: (books) =>
      books.hasAccess && books.now >= endOfGrace(books) ? [endOfGrace(books)] : [],
  },
  {
    name: "who has paid has access",
    // A withdrawal ends access at once, whatever the books know of its refund (decision 0011).
    reason: "decision 0010: access lasts until the end of the paid period, whatever stops the next",
    breaks: (books) =>
      books.hasAccess || books.isDeleted
        ? []
        : books.entries.filter(
            (entry) =>
              isOfNow(books, entry) &&
              (entry.payment.covers_until ?? "") > books.now &&
              !contractOf(books, entry)?.withdrawn_at &&
              !isGone(entry) &&
              !isLeftToOperator(books, entry),
          ),
  },
  {
    name: "access ends with the money of its period",
    reason: "docs/stripe.md: refunded in full, disputed or warned of, the running period is closed",
    breaks: (books) =>
      books.entries.filter(
        (entry) =>
          contractOf(books, entry)?.ended_at === null && isOfNow(books, entry) && isGone(entry),
      ),
  },
  {
    name: "who is claimed against is not charged unasked",
    reason: "docs/stripe.md: a contract with a disputed payment is not charged without asking",
    breaks: (books) =>
      books.contracts.filter(
        (contract) =>
          contract.ended_at === null &&
          contract.card_reference !== null &&
          books.entries.some(
            (entry) =>
              contractOf(books, entry) === contract &&
              entry.claims.some(({ status }) => status !== "won"),
          ),
      ),
  },
  {
    name: "nothing is charged after a stop",
    reason: "R-4.3 and R-11.13: a stop counts from its receipt",
    breaks: (books) =>
      books.entries.filter((entry) => {
        const stoppedAt = contractOf(books, entry)?.cancelled_at;
        const { atStripe, payment } = entry;
        if (!stoppedAt || !atStripe || atStripe.intent.metadata.kind !== "charge") return false;
        return payment.created_at > stoppedAt && keptOf(entry) > 0 && !ownRefundOf(entry);
      }),
  },
  {
    name: "an unpaid period is told",
    reason: "R-10.9: a declined renewal is told by mail, and keeps access meanwhile",
    breaks: toldToOwner((books) =>
      books.contracts.filter((contract) => isUnpaid(books, contract) && !isTold(books, contract)),
    ),
  },
  {
    name: "what is paid or goes back is told",
    reason: "R-10.9: receipt by mail after each payment; docs/stripe.md: each refund is told",
    breaks: toldToOwner((books) =>
      books.entries
        .flatMap(lettersDue)
        .filter((start) => !books.mails.some(({ key }) => key?.startsWith(start))),
    ),
  },
  {
    name: "a trial is charged after its reminder",
    reason: "R-11.15: a reminder comes before a trial becomes a full debit",
    breaks: toldToOwner((books) =>
      books.entries.filter(
        (entry) => isChargeOfTrial(books, entry) && !isReminded(books, entry.payment.created_at),
      ),
    ),
  },
  {
    name: "an end is told",
    reason: "R-11.9: a contract that cannot be charged ends, each step told",
    breaks: toldToOwner((books) =>
      books.contracts.filter(
        (contract) => contract.ended_at !== null && !isEndTold(books, contract),
      ),
    ),
  },
];

/** Days of the grace, and of the standstill after which they count from the first attempt (0010). */
const GRACE_DAYS = 7;
const LATE_DAYS = 1;

/** The end of access when nothing more is paid: seven days after what is paid, or after the first attempt. */
function endOfGrace(books: Books): string {
  const running = books.contracts.find(({ ended_at }) => ended_at === null);
  if (!running) return "";
  const due = isRestarted(books, running) ? running.expires_at : paidUntil(books, running);
  const first = firstAttempt(books, due);
  return daysAfter(first > daysAfter(due, LATE_DAYS) ? first : due, GRACE_DAYS);
}

function paidUntil(books: Books, contract: Contract): string {
  const paid = books.entries.filter(
    (entry) => contractOf(books, entry) === contract && !isTakenBack(entry) && !isGone(entry),
  );
  const ends = paid.flatMap(({ payment }) => payment.covers_until ?? []).sort();
  return ends.at(-1) ?? "";
}

/** Undoing a stop after the end begins a period that is due at once (decision 0011). */
const isRestarted = ({ mails }: Books, { expires_at }: Contract) =>
  mails.some(({ key, created_at }) => key?.startsWith("undone:") && created_at === expires_at);

/** The period of the payment is due again (decision 0010). */
const isTakenBack = ({ payment: { subscription_uid, period_start } }: Entry) =>
  subscription_uid !== null && period_start === null;

/** When a period was first charged, which a standstill delays. */
function firstAttempt({ entries }: Books, due: string): string {
  const attempts = entries
    .map(({ payment }) => payment)
    .filter(({ kind, period_start }) => kind === "renewal" && period_start === due);
  return attempts.map(({ created_at }) => created_at).sort()[0] ?? due;
}

const daysAfter = (moment: string, days: number) =>
  addDuration(new Date(moment), days, "day").toISOString();

/** Whether a payment pays for this moment. The last one counts until the next or the end of the grace. */
function isOfNow(books: Books, entry: Entry) {
  const { covers_from, covers_until } = entry.payment;
  if (covers_from === null || covers_from > books.now || isTakenBack(entry)) return false;
  return (covers_until ?? "") > books.now || covers_until === contractOf(books, entry)?.expires_at;
}

/** By the books: events may be late. */
function isGone({ payment, refunds, claims }: Entry) {
  const returned = refunds.filter(({ status }) => status === "success" || status === "pending");
  const isClaimed = claims.some(
    ({ kind, status }) =>
      (kind === "dispute" && status !== "won") || (kind === "warning" && status === "open"),
  );
  return isClaimed || sumOf(returned) >= payment.amount;
}

/** Undecided charges are told after a day, at the next try. */
const TOLD_AFTER_MS = 1.3 * DAY_MS;

const isUnpaid = (books: Books, { ended_at, cancelled_at, expires_at }: Contract) =>
  ended_at === null &&
  cancelled_at === null &&
  Date.parse(books.now) - Date.parse(firstAttempt(books, expires_at)) > TOLD_AFTER_MS;

/** An undone stop says until when the period can be paid. */
const isTold = ({ mails }: Books, { expires_at }: Contract) =>
  mails.some(
    ({ key, created_at }) =>
      created_at >= expires_at && /^(?:declined|delayed|card-missing|undone):/.test(key ?? ""),
  );

/** How the keys of the mails about a payment and its refunds begin. */
function lettersDue({ payment: { uid, covers_from }, refunds }: Entry): string[] {
  const made = refunds.filter(({ status }) => status === "success");
  return [
    ...(covers_from === null ? [] : [`receipt:${uid}`]),
    ...made.map(({ made_by, uid, reference }) =>
      made_by === "platform" ? `refund:${uid}` : `refund:${reference}`,
    ),
  ];
}

function isChargeOfTrial(books: Books, entry: Entry) {
  const { kind, period_start } = entry.payment;
  const isCharged = kind === "renewal" && entry.atStripe !== null;
  return isCharged && period_start === contractOf(books, entry)?.anchor_at;
}

/** Who undoes a stop sees the debit that follows, which needs no reminder (decision 0011). */
const isReminded = ({ mails }: Books, before: string) =>
  mails.some(
    ({ key, created_at }) => created_at <= before && /^(?:trial-ending|undone):/.test(key ?? ""),
  );

/** An end by a dispute has a letter of its own. */
function isEndTold(books: Books, contract: Contract) {
  const disputes = books.entries
    .filter((entry) => contractOf(books, entry) === contract)
    .flatMap(({ claims }) => claims.map(({ reference }) => `disputed:${reference}`));
  return books.mails.some(
    ({ key }) => key?.startsWith(`ended:${contract.uid}:`) || disputes.includes(key ?? ""),
  );
}

/** True once everything is decided, told and worked on. */
export const AT_REST: Invariant[] = [
  {
    name: "the books know each payment of Stripe",
    reason: "decision 0009: money that moved is found",
    breaks: ({ account, entries }) =>
      account
        .all("payment_intent")
        .filter(({ status }) => status === "succeeded")
        .filter(({ id }) => entries.every(({ atStripe }) => atStripe?.intent.id !== id)),
  },
  {
    name: "the books name the refunds of Stripe",
    reason: "L123-22, docs/stripe.md: refunds are part of the books",
    breaks: ({ entries }) =>
      entries.filter(({ atStripe, refunds }) => {
        const booked = refunds.filter(({ status }) => status === "success");
        return atStripe !== null && sumOf(booked) !== atStripe.refunded;
      }),
  },
  {
    name: "the books name the disputes of Stripe",
    reason: "L123-22, docs/stripe.md: disputes are part of the books",
    breaks: (books) => books.account.all("dispute").filter((made) => !isBooked(books, made)),
  },
  {
    name: "a payment for nothing goes back",
    reason: "R-4.8, decision 0010: a payment after the end is refunded",
    breaks: (books) =>
      books.entries.filter((entry) => {
        const { status, covers_from } = entry.payment;
        const isForNothing = status !== "success" || covers_from === null;
        return isForNothing && keptOf(entry) > 0 && !isGivenUp(books, entry);
      }),
  },
  {
    name: "a refund that is owed is made or given up",
    reason: "docs/stripe.md: tried five times within five days, then left to the operator",
    breaks: (books) =>
      books.entries.filter((entry) => {
        const own = ownRefundOf(entry);
        if (!own) return false;
        if (own.status === "failure") return !isGivenUp(books, entry);
        return own.status === "pending" || keptOf(entry) !== 0;
      }),
  },
  {
    name: "a withdrawal returns all payments",
    reason: "R-10.7, L221-24: all payments of the contract go back, in full",
    breaks: (books) =>
      books.entries.filter((entry) => {
        if (!contractOf(books, entry)?.withdrawn_at) return false;
        return keptOf(entry) > 0 && !isGivenUp(books, entry);
      }),
  },
  {
    name: "no day is paid twice",
    reason: "decision 0010: days that were paid twice are left to the operator by the log",
    breaks: (books) => {
      const kept = books.entries.filter(
        (entry) => entry.payment.covers_from !== null && keptOf(entry) > 0,
      );
      return kept.filter((entry) =>
        kept.some(
          (other) =>
            overlaps(entry, other) && ![entry, other].some((one) => isLeftToOperator(books, one)),
        ),
      );
    },
  },
  {
    name: "nothing stays undecided, or fails for ever",
    reason: "R-4.1: what is pending resolves by itself when the bank answers",
    breaks: ({ entries, failing }) => [
      ...failing,
      ...entries.filter(({ payment: { status } }) => status === "open" || status === "pending"),
    ],
  },
  {
    name: "who left is deleted at Stripe",
    reason: "docs/stripe.md: deleting an account also deletes the customer and their cards",
    breaks: ({ isDeleted, account, lines }) => {
      const isLeft = lines.some((line) => line.startsWith("deletion at the provider given up"));
      return isDeleted && !isLeft ? account.all("customer") : [];
    },
  },
];

/** What the books call each state of a dispute (docs/stripe.md: an inquiry is a question before it). */
const CLAIMS: Record<Dispute["status"], [kind: string, status: string]> = {
  // By giving the money back, the one way that takes it.
  prevented: ["dispute", "lost"],
  warning_needs_response: ["inquiry", "open"],
  warning_closed: ["inquiry", "won"],
  needs_response: ["dispute", "open"],
  under_review: ["dispute", "open"],
  won: ["dispute", "won"],
  lost: ["dispute", "lost"],
};

function isBooked({ entries }: Books, made: Dispute) {
  const [kind, status] = CLAIMS[made.status];
  const claims = entries.flatMap(({ claims }) => claims);
  const claim = claims.find(({ reference }) => reference === made.id);
  return claim?.kind === kind && claim.status === status;
}

function overlaps({ payment: one }: Entry, { payment: other }: Entry) {
  if (one.uid === other.uid) return false;
  const [start, end] = [one.covers_from ?? "", one.covers_until ?? ""];
  return start < (other.covers_until ?? "") && (other.covers_from ?? "") < end;
}
