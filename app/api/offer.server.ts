import { config } from "~/config.server";
import { dueOfferOf, offerOf, trialOf, wasShown } from "~/contract/offer";
import { anchorOf, type Duration } from "~/contract/periods";
import type { Formula, Offer, Subscription } from "~/contract/subscriptions";
import { funnelToken } from "~/session/funnel.server";
import type { Visit } from "~/session/visit.server";
import { NotFoundError, ResponseValidationError, type Failure } from "./errors";
import { isEnded, isPayable } from "./subscription.server";
import { isUnknownCall } from "./unknown-call";

type OfferQuery = { formula?: string; trafficToken?: string };

/** `derived`: the site computed the offer, because the API has no offers. */
type FoundOffer = { ok: true; offer: Offer; derived: boolean } | { ok: false; error: Failure };

/** `isPartnerGone`: the partner's link sells nothing any more, and the default formula replaces it. */
type CurrentOffer = FoundOffer & { isPartnerGone: boolean };

/** `isReplaced`: what the form showed is not sold any more, and the current offer stands in its place. */
type ShownOrCurrent = FoundOffer & { isReplaced: boolean };

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
export async function findOfferOrCurrent(visit: Visit, shown: OfferQuery): Promise<ShownOrCurrent> {
  if (shown.formula === undefined) return { ...(await findCurrentOffer(visit)), isReplaced: false };
  const { formula, trafficToken } = shown;
  const result = await findOffer(visit, { formula, ...(trafficToken && { trafficToken }) });
  if (result.ok || !isNotSold(result.error)) return { ...result, isReplaced: false };
  return { ...(await findCurrentOffer(visit)), isReplaced: true };
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
  const { offer, derived, isReplaced } = result;
  const { formula, trafficToken, terms } = offer;
  const { statement = offer.statement } = shown;
  const changes = changesOf(shown, offer, isReplaced);
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
function changesOf(
  { statement, terms, formula }: ShownOffer,
  offer: Offer,
  isReplaced: boolean,
): Change[] {
  const hasNewTerms = terms !== undefined && offer.terms !== undefined && terms !== offer.terms;
  // An order that was named without its offer showed no price, and may be sold no more. That of a partner may
  // have the formula of the offer in its place.
  const isNamedGone = isReplaced && statement === undefined;
  const isOther = formula !== undefined && (isNamedGone || formula !== offer.formula);
  const hasNewOffer =
    (isOther && offer.due === null) || (statement !== undefined && !wasShown(statement, offer));
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
  if (result.ok) return { kind: "changed", offer: result.offer, changes };
  return isNotSold(result.error)
    ? { kind: "changed", offer: null, changes }
    : { kind: "failed", error: result.error };
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
  return outcome.ok || !isUnknownCall("getOffer", outcome.error) ? outcome : null;
}

/** Computes the offer with the platform's own function, for an API without the endpoint. */
async function deriveOffer(
  visit: Visit,
  { formula: asked, trafficToken }: OfferQuery,
): Promise<FoundOffer> {
  const now = new Date();
  const read = await readContract(visit);
  if (!read.ok) return read;
  const { contract } = read;
  if (contract && isPayable(visit, contract)) return deriveDueOffer(visit, contract, now);
  const token = trafficToken === undefined ? null : await findToken(visit, trafficToken);
  if (token && !token.ok) return token;
  const uid = asked ?? token?.formula ?? config().defaultFormula;
  const outcome = await visit.attempt("getFormula", { params: { uid } });
  if (!outcome.ok) return outcome;
  const formula = outcome.value.payload;
  const isOpen = token ? token.formula === uid : formula.creditAmount === undefined;
  if (!isOpen) return NOT_SOLD;
  // Any contract counts as one with a trial: the price that is shown is then never lower than the price
  // that is charged. After one that is over for good only a new registration can buy, whose
  // account has had no trial.
  const hasUsedTrial = contract !== null && !isEnded(contract);
  const options = { ...(trafficToken !== undefined && { trafficToken }), hasUsedTrial };
  return { ok: true, offer: offerOf(formula, now, options), derived: true };
}

/** The newest contract, which is all that such an API returns. Null for somebody who has none. */
async function readContract(visit: Visit) {
  if (!visit.session.claims()) return { ok: true, contract: null } as const;
  const outcome = await visit.attempt("getSubscription", {});
  if (outcome.ok) return { ok: true, contract: outcome.value.payload } as const;
  const { kind } = outcome.error;
  // After a session has just ended, the visitor gets the offer of a newcomer.
  return kind === "notFound" || kind === "unauthorized"
    ? ({ ok: true, contract: null } as const)
    : outcome;
}

/**
 * The offer of a due renewal, as the contract tells it. The formula is read for what the contract leaves
 * out: it may have changed since, and such an API may have forgotten one that is not sold any more.
 */
async function deriveDueOffer(
  visit: Visit,
  contract: Subscription,
  now: Date,
): Promise<FoundOffer> {
  const { formula: uid, amount, formulaName, trialAmount } = contract;
  if (uid === undefined) return PERIOD_UNKNOWN;
  const isNamed = formulaName !== undefined && contract.period !== undefined;
  const outcome =
    isNamed && trialAmount === null ? null : await visit.attempt("getFormula", { params: { uid } });
  const formula = outcome?.ok ? outcome.value.payload : null;
  const period = contract.period ?? (formula && periodOf(formula));
  if (!period) return outcome?.ok === false && !isNotSold(outcome.error) ? outcome : PERIOD_UNKNOWN;
  const due = new Date(contract.expirationDateTime);
  const name = formulaName ?? formula?.name;
  const anchor = anchorOfDue(contract, { due, period, formula });
  const { plannedEndDateTime: end } = contract;
  // Such an API tells the end only: its stop falls before that.
  const stopsAt = end === undefined ? undefined : new Date(Date.parse(end) - 1);
  const offer = dueOfferOf({ formula: uid, name, amount, due, anchor, period, stopsAt }, now);
  return { ok: true, offer, derived: true };
}

const periodOf = ({ periodDuration, periodDurationUnit }: Formula): Duration => ({
  duration: periodDuration,
  unit: periodDurationUnit,
});

type DuePeriods = { due: Date; period: Duration; formula: Formula | null };

/**
 * Such an API does not tell from when it counts the periods. The start of the contract tells it, unless
 * they have begun anew since, or the length of the trial is unknown: then they are counted from the due
 * day. The debit that is shown then comes no later than the one that is charged.
 */
function anchorOfDue(contract: Subscription, { due, period, formula }: DuePeriods): Date {
  const hadTrial = contract.trialAmount !== null;
  const trial = hadTrial && formula ? trialOf(formula) : null;
  if (hadTrial && !trial) return due;
  return anchorOf(new Date(contract.startedDateTime), { trial, period }, due) ?? due;
}

/** A due renewal must not be mistaken for nothing to pay, nor for a formula that is not sold. */
const PERIOD_UNKNOWN = {
  ok: false,
  error: new ResponseValidationError("GET /subscriptions", "No formula or period of a due renewal"),
} as const;

const NOT_SOLD = {
  ok: false,
  error: new NotFoundError("GET /offers", "Not sold under this token"),
} as const;

async function findToken(visit: Visit, uid: string) {
  const outcome = await visit.attempt("getTrafficToken", { params: { uid } });
  if (!outcome.ok) return outcome;
  const { isValid, formula } = outcome.value.payload;
  return isValid ? ({ ok: true, formula } as const) : NOT_SOLD;
}
