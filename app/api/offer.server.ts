import { config } from "~/config.server";
import { dueOfferOf, offerOf, trialOf, wasShown, type DueContract } from "~/contract/offer";
import { anchorOf } from "~/contract/periods";
import type { Offer } from "~/contract/subscriptions";
import { funnelToken } from "~/session/funnel.server";
import type { Visit } from "~/session/visit.server";
import { isUnknownCall, NotFoundError, type Failure } from "./errors";
import { findPayableSubscription, type Subscribed } from "./subscription.server";

type OfferQuery = { formula?: string; trafficToken?: string };

/** `derived`: the site computed the offer, because the API has no offers. */
type FoundOffer = { ok: true; offer: Offer; derived: boolean } | { ok: false; error: Failure };

/** `isPartnerGone`: the partner's link sells nothing any more, and the default formula replaces it. */
type CurrentOffer = FoundOffer & { isPartnerGone: boolean };

/** The offer that a form showed, as the form sends it back. */
export type ShownOffer = OfferQuery & { statement?: string; terms?: string };

/** The fields of a payment call that say what is bought. */
export type Order = { formula: string; trafficToken?: string; offer?: string; terms?: string };

export type Purchase = { offer: Offer; order: Order };

/** What may differ from what a form showed. */
export type Change = "offer" | "terms";

/** `changed`: what was shown is gone. `offer` replaces it, null when nothing does. */
export type CheckedOffer =
  | ({ kind: "same" } & Purchase)
  | { kind: "changed"; offer: Offer | null; changes: readonly Change[] }
  | { kind: "failed"; error: Failure };

/** Whether a visitor without the partner's link is sold another offer. */
export const isPartnersOffer = ({ formula, trafficToken }: Offer): boolean =>
  trafficToken !== undefined && formula !== config().defaultFormula;

/** The offer that the registration shows, for pages that link to it. Null when it cannot be read. */
export async function findAdvertisedOffer(visit: Visit): Promise<Offer | null> {
  const result = await findCurrentOffer(visit);
  return result.ok ? result.offer : null;
}

/**
 * The offer for this visitor: a due renewal, otherwise the formula of a valid traffic token,
 * otherwise the default formula.
 */
export async function findCurrentOffer(visit: Visit): Promise<CurrentOffer> {
  const trafficToken = funnelToken(visit.session);
  const result = trafficToken ? await findOffer(visit, { trafficToken }) : null;
  if (result && (result.ok || !isNotSold(result.error))) return { ...result, isPartnerGone: false };
  const plain = await findOffer(visit, { formula: config().defaultFormula });
  return { ...plain, isPartnerGone: result !== null };
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
    return isGone
      ? { kind: "changed", offer: null, changes: ["offer"] }
      : { kind: "failed", error: result.error };
  }
  const { offer, derived } = result;
  const { formula, trafficToken, terms } = offer;
  const { statement = offer.statement } = shown;
  const changes = changesOf({ ...shown, statement }, offer);
  if (changes.length > 0) return { kind: "changed", offer, changes };
  const order = {
    formula,
    ...(trafficToken !== undefined && { trafficToken }),
    ...(!derived && { offer: statement }),
    ...(terms !== undefined && { terms }),
  };
  return { kind: "same", offer, order };
}

/** A purchase by somebody whose registration has just accepted the terms that it names. */
export const withAcceptedTerms = (bought: Purchase): Purchase & { kind: "same" } => ({
  ...bought,
  kind: "same",
  offer: { ...bought.offer, ...(bought.offer.terms !== undefined && { termsAccepted: true }) },
});

/** An API without versions of the terms compares none. */
function changesOf({ statement, terms, formula }: ShownOffer, offer: Offer): Change[] {
  const hasNewTerms = terms !== undefined && offer.terms !== undefined && terms !== offer.terms;
  // A formula that was named without its offer may be sold no more, and another one in its place.
  const isOther = formula !== undefined && offer.due === null && formula !== offer.formula;
  const hasNewOffer = isOther || (statement !== undefined && !wasShown(statement, offer));
  return (["offer", "terms"] as const).filter((change) =>
    change === "offer" ? hasNewOffer : hasNewTerms,
  );
}

/** The new offer, after a call was refused because the offer or the terms have changed. */
export async function findChangedOffer(
  visit: Visit,
  order: Order,
  changes: readonly Change[],
): Promise<CheckedOffer> {
  const result = await findOfferOrCurrent(visit, order);
  return { kind: "changed", offer: result.ok ? result.offer : null, changes };
}

/** What a call was refused for, of what the form showed; empty for a refusal of something else. */
export function refusedChanges(error: Failure): Change[] {
  if (error.kind !== "validation") return [];
  const refused = error.violations.filter(({ property }) => ORDER_PROPERTIES.has(property));
  const changes = refused.map(({ property }) => (property === "terms" ? "terms" : "offer"));
  return [...new Set(changes)];
}

const ORDER_PROPERTIES: ReadonlySet<string> = new Set<keyof Order>([
  "formula",
  "trafficToken",
  "offer",
  "terms",
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
  const due = await findPayableSubscription(visit);
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
 * Such an API returns the newest contract only, and any contract counts as one with a trial. The price
 * that is shown is then never lower than the price that is charged.
 */
async function readContracts(visit: Visit) {
  if (!visit.session.claims()) return { ok: true, value: { hasUsedTrial: false } } as const;
  const outcome = await visit.attempt("getSubscription", {});
  if (outcome.ok) {
    const { cancelledDateTime, endedDateTime } = outcome.value.payload;
    // Only a new registration can buy then, whose account has had no trial.
    const isLeaving = cancelledDateTime !== null && endedDateTime !== null;
    return { ok: true, value: { hasUsedTrial: !isLeaving } } as const;
  }
  const { kind } = outcome.error;
  // A session that has just ended is nobody's any more: it gets the offer of a newcomer.
  return kind === "notFound" || kind === "unauthorized"
    ? ({ ok: true, value: { hasUsedTrial: false } } as const)
    : outcome;
}

const NOT_SOLD = {
  ok: false,
  error: new NotFoundError("GET /offers", "Not sold under this token"),
} as const;

/**
 * Such an API does not tell from when it counts the periods. The start of the contract tells it, unless
 * they have begun anew since; then they are counted from the due day.
 */
function contractOf({ subscription, formula }: Subscribed): DueContract | null {
  if (!formula) return null;
  const due = new Date(subscription.expirationDateTime);
  const { uid, name, periodDuration: duration, periodDurationUnit: unit } = formula;
  const period = subscription.period ?? { duration, unit };
  const trial = subscription.trialAmount === null ? null : trialOf(formula);
  const start = new Date(subscription.startedDateTime);
  const anchor = anchorOf(start, { trial, period }, due) ?? due;
  return { formula: uid, name, amount: subscription.amount, due, anchor, period };
}

async function findToken(visit: Visit, uid: string) {
  const outcome = await visit.attempt("getTrafficToken", { params: { uid } });
  if (!outcome.ok) return outcome;
  const { isValid, formula } = outcome.value.payload;
  return isValid ? ({ ok: true, formula } as const) : NOT_SOLD;
}
