import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { mapResult } from "~/api/read-result";
import { contractWords } from "~/i18n/contract-words.server";
import { pageMeta } from "~/i18n/meta";
import { subscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Contract, CreditFacts } from "./contract";

export const meta = pageMeta;

/** Open to every account: the proof of a contract and its credit outlive it. */
export const handle = declarePage({ secured: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const [proof, subscribed] = await Promise.all([
    visit.find("getContractProof", {}),
    visit.find("getSubscription", {}),
  ]);
  const sentence =
    (proof.kind === "failed" && visit.t("subscription", "contract.unread")) ||
    (subscribed.kind === "failed" && visit.t("subscription", "contract.creditUnread"));
  const unread = sentence && visit.markUnread(sentence);
  return {
    page: visit.describePage({ title: visit.t("subscription", "contract.title") }),
    unread,
    contract: mapResult(proof, ({ payload }) => contractWords(payload)),
    /** The page of the subscription shows it to subscribers alone, and it is owed beyond its end. */
    credit: mapResult(subscribed, ({ payload }) => subscriptionWords(payload).credit),
  };
}

export default function ContractPage() {
  const { contract, credit, unread } = useLoaderData<typeof loader>();
  const t = useT("subscription");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("contract.title")} />
      {credit.kind === "found" && credit.value && <CreditFacts credit={credit.value} />}
      {contract.kind === "found" && <Contract contract={contract.value} />}
      {contract.kind === "none" && <p>{t("contract.noneFound")}</p>}
      {unread && <Unread text={unread} />}
    </div>
  );
}
