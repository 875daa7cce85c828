import type { ContractWords } from "~/i18n/contract-words.server";
import type { CreditWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { AnnouncedTerms } from "~/ui/contract-link";
import { DefinitionList } from "~/ui/definition-list";

/** What the person agreed to, and the mail that confirmed it. */
export function Contract({ contract }: { contract: ContractWords }) {
  const { ordered, terms, offer, conditions, button, confirmation } = contract;
  const { inForce, others } = contract;
  const t = useT("subscription");
  return (
    <>
      <AnnouncedTerms contract={contract} />
      <DefinitionList
        sentences
        items={[
          { term: t("contract.ordered"), value: ordered },
          ...(terms ? [{ term: terms.term, value: <TermsOfOrder terms={terms} /> }] : []),
          { term: t("contract.inForce"), value: inForce && <TermsInForce terms={inForce} /> },
          { term: t("contract.offer"), value: offer },
          { term: t("contract.conditions"), value: <span className="document">{conditions}</span> },
          { term: t("contract.button"), value: button && t("contract.quoted", { text: button }) },
        ]}
      />
      {others.length > 0 && (
        <section className="stack" aria-labelledby="others">
          <h2 id="others">{t("contract.others")}</h2>
          <ul>
            {others.map(({ reference, ordered, offer }) => (
              <li key={reference}>
                <a href={paths.accountContract(reference)}>
                  {t("contract.orderedOn", { date: ordered })}
                </a>{" "}
                {offer}
              </li>
            ))}
          </ul>
        </section>
      )}
      {confirmation && (
        <section className="stack" aria-labelledby="confirmation">
          <h2 id="confirmation">{confirmation.title}</h2>
          <p className="document">{confirmation.text}</p>
        </section>
      )}
    </>
  );
}

/** The conditions of the credit and what became of it. */
export function CreditFacts({ credit }: { credit: CreditWords }) {
  const t = useT("account");
  return (
    <DefinitionList
      sentences
      items={[
        { term: t("credits"), value: credit.terms },
        { term: t("creditState"), value: credit.state },
      ]}
    />
  );
}

function TermsOfOrder({ terms }: { terms: NonNullable<ContractWords["terms"]> }) {
  const { digest, how } = terms;
  const t = useT("subscription");
  return (
    <>
      {how && `${how} `}
      <a href={paths.termsVersion(digest)}>{t(how ? "contract.read" : "contract.readOrdered")}</a>
    </>
  );
}

function TermsInForce({ terms }: { terms: NonNullable<ContractWords["inForce"]> }) {
  const { digest, since } = terms;
  const t = useT("subscription");
  return (
    <>
      {since && `${t("contract.since", { date: since })} `}
      <a href={paths.termsVersion(digest)}>{t("contract.readInForce")}</a>
    </>
  );
}
