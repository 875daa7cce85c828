import type { ContractLinkWords } from "~/i18n/contract-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Notice } from "./notice";
import { Unread } from "./unread";

type ContractLinkProps = {
  /** Null for a contract that is older than the archive. */
  contract: ContractLinkWords | null;
  isUnread: boolean;
};

/** Names the contract and leads to its page. */
export function ContractLink({ contract, isUnread }: ContractLinkProps) {
  const t = useT("subscription");
  if (isUnread) return <Unread text={t("contract.unread")} />;
  return (
    <section className="stack" aria-labelledby="contract">
      <h2 id="contract">{t("contract.title")}</h2>
      {contract && <AnnouncedTerms contract={contract} />}
      {contract ? (
        <p>
          {t("contract.orderedOn", { date: contract.ordered })}{" "}
          <a href={paths.accountContract()}>{t("contract.open")}</a>
        </p>
      ) : (
        <p>{t("contract.none")}</p>
      )}
    </section>
  );
}

export function AnnouncedTerms({ contract }: { contract: ContractLinkWords }) {
  const { newTerms, declinedTerms } = contract;
  const t = useT("subscription");
  return (
    <>
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
    </>
  );
}
