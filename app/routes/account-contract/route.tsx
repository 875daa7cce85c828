import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { found, mapResult, NONE } from "~/api/read-result";
import { requireUid } from "~/api/require-uid.server";
import { contractWords } from "~/i18n/contract-words.server";
import { pageMeta } from "~/i18n/meta";
import { creditWordsOf } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Contract, CreditFacts } from "./contract";

export const meta = pageMeta;

/** Open to every account: the proof of a contract and its credit outlive it. */
export const handle = declarePage({ secured: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const reference = visit.url.searchParams.get("reference");
  const { proof, credit } =
    reference === null ? await readNewest(visit) : await readNamed(visit, reference);
  const sentence =
    (proof.kind === "failed" && visit.t("subscription", "contract.unread")) ||
    (credit.kind === "failed" && visit.t("subscription", "contract.creditUnread"));
  const unread = sentence && visit.markUnread(sentence);
  return {
    page: visit.describePage({ title: visit.t("subscription", "contract.title") }),
    unread,
    contract: mapResult(proof, ({ payload }) => contractWords(payload)),
    /** The page of the subscription shows it to subscribers alone, and it is owed beyond its end. */
    credit: mapResult(credit, (credit) => credit && creditWordsOf(credit)),
  };
}

/** The credit of the newest contract is older than its proof, which an API may lack. */
async function readNewest(visit: Visit) {
  const [proof, subscribed] = await Promise.all([
    visit.find("getContractProof", { query: {} }),
    visit.find("getSubscription", {}),
  ]);
  return { proof, credit: mapResult(subscribed, ({ payload }) => payload.credit ?? null) };
}

/** @throws Response 404 for a contract of somebody else, or one without a proof */
async function readNamed(visit: Visit, named: string) {
  const reference = await requireUid(visit, { uid: named });
  const proof = await visit.find("getContractProof", { query: { reference } });
  const isOther = proof.kind === "found" && proof.value.payload.reference !== reference;
  if (isOther || proof.kind === "none") return visit.throwNotFound();
  // A failure to read is told once, for all.
  const credit = proof.kind === "found" ? found(proof.value.payload.credit ?? null) : NONE;
  return { proof, credit };
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
