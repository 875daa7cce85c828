import type {
  Payment as PaymentPayload,
  PaymentState,
  PlatformCode,
} from "../../../app/contract/subscriptions";
import type { Database } from "../database/tables";
import type { Payment } from "./payments";
import type { Refund } from "./owed-refunds";
import { NO_CARD_CODE } from "./card";
import { isDelayedDebit } from "./undecided-debit";

type Reversed = { refunds: Refund[]; disputed: string[] };

/** The refunds of these payments, oldest first, and which of the payments are disputed. */
export async function readReversed(db: Database, paymentUids: string[]): Promise<Reversed> {
  const refunds = await db
    .selectFrom("refund")
    .selectAll()
    .where("payment_uid", "in", paymentUids)
    .where("status", "!=", "cancelled")
    .orderBy("created_at")
    .orderBy("uid")
    .execute();
  const disputes = await db
    .selectFrom("payment_claim")
    .select("payment_uid")
    .where("payment_uid", "in", paymentUids)
    .where("kind", "=", "dispute")
    .where("status", "in", ["open", "lost"])
    .execute();
  return { refunds, disputed: disputes.map(({ payment_uid }) => payment_uid) };
}

/** What became of a payment, as its person is told everywhere. */
export function stateOf(payment: Payment, { refunds, disputed }: Reversed): PaymentState {
  const { uid, amount, status } = payment;
  if (disputed.includes(uid)) return "disputed";
  const own = refunds.filter(({ payment_uid }) => payment_uid === uid);
  const returned = sumOf(own.filter((refund) => refund.status === "success"));
  if (returned > 0) return returned < amount ? "partly-refunded" : "refunded";
  // A payment that succeeded after it had been given up keeps its failed status, and gets a refund. Until that is made
  // it is debited.
  if (own.length > 0) return "paid";
  if (isDelayedDebit(payment)) return "delayed";
  return lackedCard(payment) ? "cancelled" : STATES[status];
}

/** A renewal that came to nothing because no card was stored: the bank was not asked, and refused nothing. */
export const lackedCard = ({ status, error_code }: Pick<Payment, "status" | "error_code">) =>
  status === "failure" && error_code === NO_CARD_CODE;

/** The bank's page of a payment by the person, on which nobody has paid as far as we know. */
export const awaitsPayer = ({ kind, status }: Pick<Payment, "kind" | "status">) =>
  kind !== "renewal" && status === "open";

const STATES: Record<Payment["status"], PaymentState> = {
  open: "pending",
  pending: "pending",
  success: "paid",
  failure: "refused",
  cancelled: "cancelled",
};

export const sumOf = (refunds: Pick<Refund, "amount">[]) =>
  refunds.reduce((sum, { amount }) => sum + amount, 0);

/** Why a payment bought nothing; null for one that did, or may. */
export async function readFailure(
  db: Database,
  payment: Payment,
): Promise<Required<PaymentPayload>["error"] | null> {
  const { uid, status, error_code: code, error_message } = payment;
  if (await isPaidInVain(db, payment)) return PAID_LATE;
  if (status !== "failure" && status !== "cancelled") return null;
  const state = stateOf(payment, await readReversed(db, [uid]));
  if (state !== "refused" && state !== "cancelled") return PAID_LATE;
  return { message: error_message ?? status, ...(code && { code }) };
}

/**
 * A payment that bought nothing, so that all of it goes back: of a later period after its contract had ended, or of
 * a new contract while an earlier one had gone on.
 */
async function isPaidInVain(db: Database, payment: Payment): Promise<boolean> {
  const { uid, status, subscription_uid, covers_from } = payment;
  if (status !== "success" || covers_from !== null) return false;
  if (subscription_uid === null && (await hasOpened(db, uid))) return false;
  const { refunds } = await readReversed(db, [uid]);
  return refunds.some(({ made_by }) => made_by === "platform");
}

/** Whether a contract began with this payment: an old row may do so without its period. */
async function hasOpened(db: Database, uid: string): Promise<boolean> {
  const opened = db.selectFrom("subscription").select("uid").where("payment_uid", "=", uid);
  return (await opened.executeTakeFirst()) !== undefined;
}

const PAID_LATE = {
  message: "Paid after it had been given up, and given back",
  code: "late" satisfies PlatformCode,
};
