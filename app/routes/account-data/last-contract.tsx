import type { ReadResult } from "~/api/read-result";
import type { ContractWords } from "~/i18n/contract-words.server";
import { useT } from "~/i18n/use-t";
import { Contract, UnarchivedContract } from "~/ui/contract";
import { Unread } from "~/ui/unread";

type LastContractProps = { contract: ReadResult<ContractWords>; hadContract: boolean };

/**
 * The proof of a contract that has ended, as long as its account lives: the page of the subscription
 * is for subscribers.
 */
export function LastContract({ contract, hadContract }: LastContractProps) {
  const t = useT("subscription");
  if (contract.kind === "found") return <Contract contract={contract.value} />;
  if (contract.kind === "failed") return <Unread text={t("contract.unread")} />;
  return hadContract ? <UnarchivedContract /> : null;
}
