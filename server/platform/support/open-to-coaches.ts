import { sql, type ExpressionBuilder } from "kysely";
import type { Tables } from "../database/tables";

/**
 * True for tickets that coaches may read: contact tickets, and discussions unless their person took the
 * consent back and gave none since (RGPD, articles 7-3 and 9-2-a). It compares values instead of using
 * `exists`, so that the planner keeps the order of the ticket index.
 */
export function isOpenToCoaches(e: ExpressionBuilder<Tables, "ticket">) {
  const consents = e
    .selectFrom("sensitive_consent")
    .select(sql<number>`1`.as("one"))
    .whereRef("sensitive_consent.account_uid", "=", "ticket.account_uid")
    .limit(1);
  return e.or([
    e(consents.where("taken_back_at", "is not", null), "is", null),
    e(consents.where("taken_back_at", "is", null), "is not", null),
  ]);
}
