import { config } from "~/config.server";
import { dueOfferOf, offerOf, wasShown, type DueContract } from "~/contract/offer";
import type { Offer } from "~/contract/subscriptions";
import type { Visit } from "~/session/visit.server";
import { NotFoundError, type Failure } from "./errors";
import { findDueSubscription, type Subscribed } from "./subscription.server";

type OfferQuery = { formula?: string; trafficToken?: string };

/** `derived`: by the site, for an API that has no offers. */
type FoundOffer = { ok: true; offer: Offer; derived: boolean } | { ok: false; error: Failure };

/** What a form carries of the offer that it showed. */
export type ShownOffer = OfferQuery & { statement?: string };

/** What is bought: the call that pays names it. */
export type Order = { formula: string; trafficToken?: string; offer?: string };

export type Purchase = { offer: Offer; order: Order };

/** `changed`: nothing of the kind is offered any more, but this, if anything. */
export type CheckedOffer =
  | ({ kind: "same" } & Purchase)
  | { kind: "changed"; offer: Offer | null }
  | { kind: "failed"; error: Failure };

/** The offer of the plain registration, for pages that invite to it; null when it cannot be read. */
export async function findDefaultOffer(visit: Visit): Promise<Offer | null> {
  const result = await findOffer(visit, { formula: config().defaultFormula });
  return result.ok ? result.offer : null;
}

/**
 * What the visitor would pay now: what is due, the formula of a valid traffic token, otherwise the
 * default one.
 */
export async function findCurrentOffer(visit: Visit): Promise<FoundOffer> {
  const { uniqueToken: trafficToken } = visit.session.data;
  const result = trafficToken ? await findOffer(visit, { trafficToken }) : null;
  if (result && (result.ok || !isNotSold(result.error))) return result;
  return findOffer(visit, { formula: config().defaultFormula });
}

/** The offer of a form that is shown again: its own while it is sold, otherwise the current one. */
export async function findOfferOrCurrent(visit: Visit, shown: OfferQuery): Promise<FoundOffer> {
  if (shown.formula === undefined) return findCurrentOffer(visit);
  const { formula, trafficToken } = shown;
  const result = await findOffer(visit, { formula, ...(trafficToken && { trafficToken }) });
  return result.ok || !isNotSold(result.error) ? result : findCurrentOffer(visit);
}

/**
 * Whether a form that was sent showed what is offered now; the call that pays asks the platform the
 * same. A script's form, which showed nothing, gets what the page would show.
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

/** After a call that pays was refused because the offer changed under its hands. */
export async function findChangedOffer(visit: Visit, order: Order): Promise<CheckedOffer> {
  const result = await findOfferOrCurrent(visit, order);
  return { kind: "changed", offer: result.ok ? result.offer : null };
}

/** Whether a call that pays was refused because of what was ordered, not of who paid how. */
export const isOfferRefusal = (error: Failure): boolean =>
  error.kind === "validation" &&
  error.violations.some(({ property }) => ORDER_PROPERTIES.has(property));

const ORDER_PROPERTIES: ReadonlySet<string> = new Set<keyof Order>([
  "formula",
  "trafficToken",
  "offer",
]);

/** What was asked for is not sold, or not to this visitor. */
export const isNotSold = ({ kind }: Failure) =>
  kind === "validation" || kind === "invalidArgument" || kind === "notFound";

async function findOffer(visit: Visit, asked: OfferQuery): Promise<FoundOffer> {
  const outcome = await attemptOffer(visit, asked);
  if (outcome === null) return deriveOffer(visit, asked);
  return outcome.ok ? { ok: true, offer: outcome.value.payload, derived: false } : outcome;
}

/** Null where the API does not know the call: 404 or 405. */
async function attemptOffer(visit: Visit, query: OfferQuery) {
  const outcome = await visit.attempt("getOffer", { query });
  if (outcome.ok) return outcome;
  const { error } = outcome;
  const isUnknown =
    error.kind === "notFound" || (error.kind === "unexpectedStatus" && error.status === 405);
  return isUnknown ? null : outcome;
}

/** By the function that the platform uses, from what such an API tells. */
async function deriveOffer(
  visit: Visit,
  { formula: asked, trafficToken }: OfferQuery,
): Promise<FoundOffer> {
  const now = new Date();
  const due = await findDueSubscription(visit);
  const contract = due.kind === "found" ? contractOf(due.value) : null;
  if (contract) return { ok: true, offer: dueOfferOf(contract, now), derived: true };
  const token = trafficToken === undefined ? null : await findToken(visit, trafficToken);
  if (token && !token.ok) return token;
  const uid = asked ?? token?.formula ?? config().defaultFormula;
  const outcome = await visit.attempt("getFormula", { params: { uid } });
  if (!outcome.ok) return outcome;
  const formula = outcome.value.payload;
  const isOpen = token ? token.formula === uid : formula.creditAmount === undefined;
  if (!isOpen) return NOT_SOLD;
  const offer = offerOf(formula, now, trafficToken === undefined ? {} : { trafficToken });
  return { ok: true, offer, derived: true };
}

const NOT_SOLD = {
  ok: false,
  error: new NotFoundError("GET /offers", "Not sold under this token"),
} as const;

/** Counted from the day that is due: such an API does not tell from which day it counts. */
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
