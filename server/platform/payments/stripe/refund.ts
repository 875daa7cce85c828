import type Stripe from "stripe";
import type { RefundDecision, RefundRequest } from "../../ports/payment-gateway";
import { callStripe, isInvalid, type StripeFailure } from "./failure";
import { callOnce, keyForNow } from "./idempotency";
import { decisionOfRefund, intentIdOf, reversalsOf } from "./reversals";
import type { StripeContext } from "./context";

/** The bank holds the money, or has taken it. */
const DISPUTED_CODES = ["charge_disputed", "refund_disputed_payment"];

/** Codes of a 400 about this payment, which stay true. */
const FINAL_CODES = [
  "amount_too_large",
  "amount_too_small",
  "charge_not_refundable",
  "resource_missing",
];

/** Refunds an amount; repeating the same attempt returns its first outcome. */
export async function refund(
  context: StripeContext,
  request: RefundRequest,
): Promise<RefundDecision> {
  const payment_intent = await intentIdOf(context, request.payment);
  if (!payment_intent) return { status: "failure" };
  try {
    const earlier = await findRefund(context, payment_intent, request);
    if (earlier) return decisionOfRefund(earlier);
    return decisionOfRefund(await create(context, payment_intent, request));
  } catch (error) {
    if (!isInvalid(error)) throw error;
    // Refunded by hand in Stripe's dashboard since the last check; the next check counts that refund.
    if (isRefunded(error)) return { status: "pending" };
    // The next attempt asks for the bank's decision. After a lost dispute there is none to come, though less
    // than the payment may be gone.
    if (isDisputed(error) && (await isDisputeOpen(context, request))) return { status: "pending" };
    if (!isOfShop(error)) {
      context.log.error({ err: error, refund: request.refundUid }, "refund refused");
      return { status: "failure" };
    }
    // The operator mends the reason, and the person is owed the money.
    context.log.error(
      { err: error, refund: request.refundUid },
      "refund refused for a reason of the shop: it is asked for again, daily at last",
    );
    return { status: "pending" };
  }
}

const isRefunded = ({ code }: StripeFailure) => code === "charge_already_refunded";
const isDisputed = ({ code = "" }: StripeFailure) => DISPUTED_CODES.includes(code);

/** Whether the shop can mend the reason: its balance, account or requests. */
const isOfShop = (error: StripeFailure) =>
  !isRefunded(error) && !isDisputed(error) && !isFinal(error);

/** Stripe names the amount when more is asked for than is left. */
const isFinal = ({ code = "", param }: StripeFailure) =>
  param === "amount" || FINAL_CODES.includes(code);

async function isDisputeOpen(context: StripeContext, { payment }: RefundRequest) {
  const { claims } = await reversalsOf(context, payment);
  return claims.some(({ kind, status }) => kind === "dispute" && status === "open");
}

/**
 * Creates a refund. Each attempt has its own key. Of all that is left, money cannot go back twice, because Stripe
 * never refunds more than was paid. A part would be accepted twice: after a failure of Stripe's own, which may
 * have made the refund and not list it yet, it is asked for with the same key until that expires, a day later.
 */
async function create(
  context: StripeContext,
  payment_intent: string,
  request: RefundRequest,
): Promise<Stripe.Refund> {
  const { refundUid, attempt, amount, isPart } = request;
  const metadata = { refundUid, attempt: String(attempt) };
  const { refunds } = context.stripe;
  const key = `refund:${refundUid}${attempt > 1 ? `:${attempt}` : ""}`;
  const run = (idempotencyKey: string) =>
    callStripe(refunds.create({ payment_intent, amount, metadata }, { idempotencyKey }));
  if (isPart) return run(key);
  const find = () => findRefund(context, payment_intent, request);
  try {
    return await callOnce(context, key, { run, find });
  } catch (error) {
    if (!isInvalid(error) || !isOfShop(error)) throw error;
    // Stripe repeats its refusal to this key for a day, though the shop may have mended the reason.
    return (await find()) ?? run(keyForNow(context, key));
  }
}

/** Finds an earlier refund in the list, which has no delay and outlives the idempotency key. */
async function findRefund(
  { stripe }: StripeContext,
  payment_intent: string,
  request: RefundRequest,
) {
  const { data } = await callStripe(stripe.refunds.list({ payment_intent, limit: 100 }));
  return data.find(
    ({ metadata }) =>
      metadata?.refundUid === request.refundUid &&
      Number(metadata.attempt ?? 1) === request.attempt,
  );
}
