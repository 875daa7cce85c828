import { config } from "~/config.server";
import { dueOfferOf, offerOf, wasShown, type DueContract } from "~/contract/offer";
import type { Offer } from "~/contract/subscriptions";
import type { Visit } from "~/session/visit.server";
import { isUnknownCall, NotFoundError, type Failure } from "./errors";
import { findDueSubscription, type Subscribed } from "./subscription.server";

type OfferQuery = { formula?: string; trafficToken?: string };

/** `derived`: the site computed the offer, because the API has no offers. */
type FoundOffer = { ok: true; offer: Offer; derived: boolean } | { ok: false; error: Failure };

/** The offer that a form showed, as the form sends it back. */
export type ShownOffer = OfferQuery & { statement?: string };

/** The fields of a payment call that say what is bought. */
export type Order = { formula: string; trafficToken?: string; offer?: string };

export type Purchase = { offer: Offer; order: Order };

/** `changed`: the shown offer is gone. `offer` replaces it, null when nothing does. */
export type CheckedOffer =
  | ({ kind: "same" } & Purchase)
  | { kind: "changed"; offer: Offer | null }
  | { kind: "failed"; error: Failure };

/** The offer of the plain registration, for pages that link to it. Null when it cannot be read. */
export async function findDefaultOffer(visit: Visit): Promise<Offer | null> {
  const result = await findOffer(visit, { formula: config().defaultFormula });
  return result.ok ? result.offer : null;
}

/**
 * The offer for this visitor: a due renewal, otherwise the formula of a valid traffic token,
 * otherwise the default formula.
 */
export async function findCurrentOffer(visit: Visit): Promise<FoundOffer> {
  const { uniqueToken: trafficToken } = visit.session.data;
  const result = trafficToken ? await findOffer(visit, { trafficToken }) : null;
  if (result && (result.ok || !isNotSold(result.error))) return result;
  return findOffer(visit, { formula: config().defaultFormula });
}

/** The offer that a form showed, while it is still sold; otherwise the current offer. */
export async function findOfferOrCurrent(visit: Visit, shown: OfferQuery): Promise<FoundOffer> {
  if (shown.formula === undefined) return findCurrentOffer(visit);
  const { formula, trafficToken } = shown;
  const result = await findOffer(visit, { formula, ...(trafficToken && { trafficToken }) });
  return result.ok || !isNotSold(result.error) ? result : findCurrentOffer(visit);
}

/**
 * Compares the offer that a posted form showed with the present one. The payment call repeats this
 * check on the platform. A form that names no offer gets the one that its page would show.
 */
export async function checkOffer(visit: Visit, shown: ShownOffer): Promise<CheckedOffer> {
  const result = await findOfferOrCurrent(visit, shown);
  if (!result.ok) {
    const isGone = isNotSold(result.error) && shown.statement !== undefined;
    return isGone ? { kind: "changed", offer: null } : { kind: "failed", error: result.error };
  }
  const { offer, derived } = result;
  const { formula, trafficToken } = offer;
  const { statement = offer.statement } = shown;
  if (!wasShown(statement, offer)) return { kind: "changed", offer };
  const order = {
    formula,
    ...(trafficToken !== undefined && { trafficToken }),
    ...(!derived && { offer: statement }),
  };
  return { kind: "same", offer, order };
}

/** The new offer, after a payment call was refused because its offer changed. */
export async function findChangedOffer(visit: Visit, order: Order): Promise<CheckedOffer> {
  const result = await findOfferOrCurrent(visit, order);
  return { kind: "changed", offer: result.ok ? result.offer : null };
}

/** Whether a payment call was refused because of the order, not because of the card or the person. */
export const isOfferRefusal = (error: Failure): boolean =>
  error.kind === "validation" &&
  error.violations.some(({ property }) => ORDER_PROPERTIES.has(property));

const ORDER_PROPERTIES: ReadonlySet<string> = new Set<keyof Order>([
  "formula",
  "trafficToken",
  "offer",
]);

/** Whether the formula is not sold, or not to this visitor. */
export const isNotSold = ({ kind }: Failure) =>
  kind === "validation" || kind === "invalidArgument" || kind === "notFound";

async function findOffer(visit: Visit, asked: OfferQuery): Promise<FoundOffer> {
  const outcome = await attemptOffer(visit, asked);
  if (outcome === null) return deriveOffer(visit, asked);
  return outcome.ok ? { ok: true, offer: outcome.value.payload, derived: false } : outcome;
}

/** Null where the API does not know the call. */
async function attemptOffer(visit: Visit, query: OfferQuery) {
  const outcome = await visit.attempt("getOffer", { query });
  return outcome.ok || !isUnknownCall(outcome.error) ? outcome : null;
}

/** Computes the offer with the platform's own function, for an API without the endpoint. */
async function deriveOffer(
  visit: Visit,
  { formula: asked, trafficToken }: OfferQuery,
): Promise<FoundOffer> {
  const now = new Date();
  const due = await findDueSubscription(visit);
  const contract = due.kind === "found" ? contractOf(due.value) : null;
  if (contract) return { ok: true, offer: dueOfferOf(contract, now), derived: true };
  const contracts = await readContracts(visit);
  if (!contracts.ok) return contracts;
  const token = trafficToken === undefined ? null : await findToken(visit, trafficToken);
  if (token && !token.ok) return token;
  const uid = asked ?? token?.formula ?? config().defaultFormula;
  const outcome = await visit.attempt("getFormula", { params: { uid } });
  if (!outcome.ok) return outcome;
  const formula = outcome.value.payload;
  const isOpen = token ? token.formula === uid : formula.creditAmount === undefined;
  if (!isOpen) return NOT_SOLD;
  const options = { ...(trafficToken !== undefined && { trafficToken }), ...contracts.value };
  return { ok: true, offer: offerOf(formula, now, options), derived: true };
}

/**
 * Such an API tells the newest contract only, so that any counts as one with a trial: what is shown
 * is not below what is charged.
 */
async function readContracts(visit: Visit) {
  if (!visit.session.claims()) return { ok: true, value: { hasUsedTrial: false } } as const;
  const outcome = await visit.attempt("getSubscription", {});
  if (outcome.ok) return { ok: true, value: { hasUsedTrial: true } } as const;
  const { kind } = outcome.error;
  // Whose session has just ended is offered what anybody is.
  return kind === "notFound" || kind === "unauthorized"
    ? ({ ok: true, value: { hasUsedTrial: false } } as const)
    : outcome;
}

const NOT_SOLD = {
  ok: false,
  error: new NotFoundError("GET /offers", "Not sold under this token"),
} as const;

/** Periods are counted from the due day, because such an API does not tell its anchor. */
function contractOf({ subscription, formula }: Subscribed): DueContract | null {
  if (!formula) return null;
  const due = new Date(subscription.expirationDateTime);
  const { uid, name, periodDuration: duration, periodDurationUnit: unit } = formula;
  const period = subscription.period ?? { duration, unit };
  return { formula: uid, name, amount: subscription.amount, due, anchor: due, period };
}

async function findToken(visit: Visit, uid: string) {
  const outcome = await visit.attempt("getTrafficToken", { params: { uid } });
  if (!outcome.ok) return outcome;
  const { isValid, formula } = outcome.value.payload;
  return isValid ? ({ ok: true, formula } as const) : NOT_SOLD;
}
