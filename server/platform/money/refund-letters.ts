import { dayOf } from "../../../app/contract/day";
import type { Letter, RefundedPayment, Site } from "../mail/letters";
import { links } from "../mail/links";
import type { Context } from "../database/context";
import { mailCreditor, mailPayer } from "../mail/contract-mail";
import { findContractOf } from "../database/subscription-row";
import type { Refund } from "./owed-refunds";
import type { Payment } from "./payments";

/** Mails the person about a successful refund. */
export async function mailRefund(
  context: Context,
  payment: Payment,
  name: string,
  refunded: { amount: number; date: string },
) {
  await mailAboutRefund(context, payment, `refund:${name}`, (facts) => ({
    kind: "refund",
    ...facts,
    ...refunded,
  }));
}

/** Mails the person that a refund is not made, and that its amount stays owed. */
export async function mailGivenUp(
  context: Context,
  payment: Payment,
  { uid, attempt }: Refund,
  owed: { amount: number; isUndecided: boolean },
) {
  // An undecided refund may be refused later, which is a second letter.
  const name = owed.isUndecided ? `${uid}:${attempt}:undecided` : `${uid}:${attempt}`;
  await mailAboutRefund(context, payment, `refund-failed:${name}`, (facts) => ({
    kind: "refund-failed",
    ...facts,
    ...owed,
    contactUrl: links.contact(facts.site),
  }));
}

/** Mails the person that a refund was paid by another way than the card. */
export async function mailRepaid(
  context: Context,
  payment: Payment,
  { uid, attempt, amount, settled_at, repaid_reference }: Refund,
) {
  const paidOn = dayOf(settled_at === null ? context.clock.now() : new Date(settled_at));
  await mailAboutRefund(context, payment, `repaid:${uid}:${attempt}`, (facts) => ({
    kind: "repaid",
    ...facts,
    amount,
    paidOn,
    reference: repaid_reference,
  }));
}

/** The mail is sent even after the profile's deletion: the refund was promised in writing. */
async function mailAboutRefund(
  context: Context,
  payment: Payment,
  key: string,
  compose: (facts: RefundedPayment) => Letter,
) {
  const found = await findContractOf(context.db, payment);
  const paidAt = payment.settled_at ?? payment.created_at;
  const contract = found ? { reference: found.uid, orderedAt: found.started_at } : null;
  const letterOf = (site: Site) => compose({ site, paidAt, contract });
  if (found) await mailCreditor(context, found, key, letterOf);
  else await mailPayer(context, payment, key, letterOf);
}
