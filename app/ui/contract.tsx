import type { ContractWords } from "~/i18n/contract-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { DefinitionList } from "./definition-list";
import { Notice } from "./notice";

/** Of a contract older than the archive. */
export function UnarchivedContract() {
  const t = useT("subscription");
  return (
    <section className="stack" aria-labelledby="contract">
      <h2 id="contract">{t("contract.title")}</h2>
      <p>{t("contract.none")}</p>
    </section>
  );
}

/** What the person agreed to, and the mail that confirmed it. */
export function Contract({ contract }: { contract: ContractWords }) {
  const { ordered, terms, offer, conditions, button, confirmation } = contract;
  const { inForce, newTerms, declinedTerms } = contract;
  const t = useT("subscription");
  return (
    <section className="stack" aria-labelledby="contract">
      <h2 id="contract">{t("contract.title")}</h2>
      {newTerms && (
        <Notice tone="info">
          {t("contract.changed", { date: newTerms.date })}{" "}
          <a href={paths.termsVersion(newTerms.digest)}>{t("contract.readNew")}</a>
        </Notice>
      )}
      {declinedTerms && (
        <Notice tone="info">
          {t("contract.declined", { date: declinedTerms.date })}{" "}
          <a href={paths.termsVersion(declinedTerms.digest)}>{t("contract.readDeclined")}</a>
        </Notice>
      )}
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
      {confirmation && (
        <details>
          <summary>{confirmation.title}</summary>
          <p className="document">{confirmation.text}</p>
        </details>
      )}
    </section>
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
