import { offerOf } from "../../../app/contract/offer";
import type { Formula } from "../../../app/contract/subscriptions";
import { orderText } from "../../../app/i18n/order-words.server";
import type { PageLimits } from "../ports/payment-gateway";

/** Days that are written with the most characters, also with another one some weeks later. */
const LONGEST_DAYS = ["2026-09-20T10:00:00.000Z", "2027-01-20T10:00:00.000Z"];

/**
 * Why a formula is not sold although nobody retired it, as the end of « not sold: … »; null when it is
 * sold. Orders, commands and starts share this rule, because a formula may be older than the provider
 * whose pages sell it now.
 */
export function whyUnsellable(formula: Formula, limits: PageLimits | undefined): string | null {
  if (isCreditVague(formula)) return "the conditions of its credit are not set";
  if (!limits) return null;
  const { provider, leastCharge, longestConditions } = limits;
  const offers = LONGEST_DAYS.flatMap((day) =>
    [false, true].map((hasUsedTrial) => ({
      day,
      ...offerOf(formula, new Date(day), { hasUsedTrial }),
    })),
  );
  if (offers.some(({ amountNow }) => amountNow < leastCharge)) {
    const least = (leastCharge / 100).toFixed(2);
    return `its trial cannot be free with ${provider}, whose page charges ${least} euros or more`;
  }
  const texts = offers.map(({ day, nextDebit, ...offer }) =>
    orderText({ ...offer, nextDebit: { ...nextDebit, date: day } }),
  );
  const length = Math.max(...texts.map((text) => text.length));
  if (length <= longestConditions) return null;
  return `what its order says has up to ${length} characters, and ${provider}'s page shows ${longestConditions}: shorten the name, or the words of the credit`;
}

/** Whether a formula promises a credit without naming its debtor, delay or conditions. */
export const isCreditVague = ({ creditAmount, creditTerms: terms }: Formula): boolean =>
  creditAmount !== undefined && terms === undefined;
