import type { ContractProof, TermsAcceptance } from "~/contract/subscriptions";
import { formatDate, formatDateTime } from "./format";
import { translate } from "./i18n.server";

/** What names a contract beside the link to its page, and what is new about it. */
export function contractLinkWords({ newTerms, declinedTerms, ...proof }: ContractProof) {
  return {
    ordered: formatDateTime(proof.orderedDateTime),
    newTerms: newTerms ? announcedWords(newTerms) : null,
    declinedTerms: declinedTerms ? announcedWords(declinedTerms) : null,
  };
}

/** The proof of a contract with its dates in words. */
export function contractWords(proof: ContractProof) {
  const { confirmation, termsInForce: inForce } = proof;
  return {
    ...contractLinkWords(proof),
    terms: proof.terms === null ? null : termsWords(proof.terms, proof.termsAcceptance),
    offer: proof.offer,
    conditions: proof.conditions,
    button: proof.button,
    others: (proof.others ?? []).map(({ reference, orderedDateTime, offer }) => ({
      reference,
      ordered: formatDate(orderedDateTime),
      offer,
    })),
    confirmation: confirmation && {
      title: confirmationTitle(confirmation),
      text: confirmation.text,
    },
    /** Where it is not the text that was accepted with the order. */
    inForce:
      inForce && inForce.digest !== proof.terms
        ? {
            digest: inForce.digest,
            since: inForce.sinceDateTime ? formatDate(inForce.sinceDateTime) : null,
          }
        : null,
  };
}

/** The terms of the order, and how they were accepted; nothing of the kind is said where nothing tells it. */
function termsWords(digest: string, acceptance: TermsAcceptance | undefined) {
  if (!acceptance) return { digest, term: translate("subscription", "contract.terms"), how: null };
  const { by, dateTime, namedWithOrder } = acceptance;
  const isRepeated = namedWithOrder === true && by !== "order";
  const how = isRepeated ? "contract.acceptedAndNamed" : "contract.accepted";
  return {
    digest,
    term: translate("subscription", `contract.termsBy.${by}`),
    how: translate("subscription", how, { date: formatDateTime(dateTime) }),
  };
}

/** A mail that never arrived confirms nothing, so that its page says so. */
function confirmationTitle(mail: NonNullable<ContractProof["confirmation"]>): string {
  const { createdDateTime, sentDateTime, givenUpDateTime } = mail;
  if (givenUpDateTime) return translate("subscription", "contract.undelivered");
  if (sentDateTime === null) return translate("subscription", "contract.waiting");
  const date = formatDate(sentDateTime ?? createdDateTime);
  return translate("subscription", "contract.confirmation", { date });
}

const announcedWords = (terms: NonNullable<ContractProof["newTerms"]>) => ({
  digest: terms.digest,
  date: formatDate(terms.appliesDateTime),
});

export type ContractLinkWords = ReturnType<typeof contractLinkWords>;

export type ContractWords = ReturnType<typeof contractWords>;
