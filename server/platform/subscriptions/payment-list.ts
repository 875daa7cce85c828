import type { Database } from "../database/tables";

/** A payment as shown to the operator, without the card's reference. */
export type ListedPayment = {
  at: string;
  email: string;
  kind: "first" | "renewal";
  amount: number;
  status: "open" | "pending" | "success" | "failure" | "cancelled";
  /** Code of the refusal, or of the reason why it is undecided; may be the provider's own code. */
  code: string | null;
  payment: string;
  /** The provider's reference of the payment. */
  reference: string | null;
};

type Options = {
  /** True for only refused payments and renewals that the provider could not be asked about. */
  failed: boolean;
  since: Date;
};

/** Lists the payments created since then, newest last. */
export async function listPayments(
  db: Database,
  { failed, since }: Options,
): Promise<ListedPayment[]> {
  const payments = db
    .selectFrom("payment")
    .innerJoin("account", "account.uid", "payment.account_uid")
    .select(["payment.created_at as at", "account.identifier as email"])
    .select(["payment.kind", "payment.amount", "payment.status", "payment.error_code as code"])
    .select(["payment.uid as payment", "payment.gateway_reference as reference"])
    .where("payment.created_at", ">=", since.toISOString())
    .orderBy("payment.created_at")
    .orderBy("payment.uid");
  if (!failed) return payments.execute();
  return payments
    .where((e) =>
      e.or([
        e("payment.status", "=", "failure"),
        e.and([
          e("payment.status", "in", ["open", "pending", "cancelled"]),
          e("payment.kind", "=", "renewal"),
          e("payment.error_code", "is not", null),
        ]),
      ]),
    )
    .execute();
}
