import { dayOf } from "../../../app/contract/day";
import type { Credit } from "../../../app/contract/subscriptions";
import type { Database, Tables } from "../database/tables";
import { findObstacle, type Obstacle } from "./credit-obstacle";
import { creditOf } from "./credit-row";
import { archivedEmail } from "../mail/contract-mail";

/** A credit as the operator sees it, with the references by which its debtor can identify the person. */
export type ListedCredit = Credit & {
  /** The contract's reference. */
  reference: string;
  /** The e-mail of the profile, or of the archive after its deletion. Null once that is purged; the debt stays. */
  email: string | null;
  /** The provider's reference of the first payment. */
  payment: string | null;
  trafficToken: string | null;
  affiliation: { token: string; platform: string } | null;
  /** Why it is not owed any more although it was paid. */
  reclaim: Tables["credit"]["reclaim_reason"];
  /** Why one that is due cannot be paid now: the money of its contract went back, or may. */
  obstacle: Obstacle | null;
};

type Options = { status: Credit["status"] | null; day: string | null };

/** The credits of all contracts, oldest first; with `day` those due on that day of Paris. */
export async function listCredits(db: Database, { status, day }: Options): Promise<ListedCredit[]> {
  const rows = await db
    .selectFrom("credit")
    .innerJoin("subscription", "subscription.uid", "credit.subscription_uid")
    .innerJoin("payment", "payment.uid", "subscription.payment_uid")
    .innerJoin("account", "account.uid", "subscription.account_uid")
    .leftJoin("contract_proof", "contract_proof.subscription_uid", "subscription.uid")
    .selectAll("credit")
    .select(["subscription.uid", "subscription.payment_uid"])
    .select(["subscription.withdrawn_at", "subscription.ended_by_payment"])
    .select(["subscription.cancelled_at", "subscription.ended_at"])
    .select(["account.identifier", "account.status as account_status"])
    .select(archivedEmail.as("archived_email"))
    .select(["payment.gateway_reference", "payment.traffic_token"])
    .select(["payment.affiliation_token", "payment.affiliation_platform"])
    .$if(status !== null, (query) => query.where("credit.status", "=", status ?? "due"))
    .orderBy("credit.created_at")
    .orderBy("credit.subscription_uid")
    .execute();
  const listed: ListedCredit[] = [];
  for (const row of rows) {
    if (day !== null && (row.due_at === null || dayOf(new Date(row.due_at)) !== day)) continue;
    listed.push({
      reference: row.subscription_uid,
      email: row.account_status === "deleted" ? row.archived_email : row.identifier,
      ...creditOf(row),
      payment: row.gateway_reference,
      trafficToken: row.traffic_token,
      affiliation: affiliationOf(row),
      reclaim: row.reclaim_reason,
      obstacle: row.status === "due" ? await findObstacle(db, row) : null,
    });
  }
  return listed;
}

type Affiliated = { affiliation_token: string | null; affiliation_platform: string | null };

const affiliationOf = ({ affiliation_token: token, affiliation_platform: platform }: Affiliated) =>
  token !== null && platform !== null ? { token, platform } : null;
