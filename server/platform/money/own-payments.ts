import { sql } from "kysely";
import type { ListedPayment, PaymentReceipt } from "../../../app/contract/subscriptions";
import { findOwnEmail } from "../mail/contract-mail";
import type { Database } from "../database/tables";
import { vatWithin } from "../mail/vat";
import type { Order } from "../paging/order";
import { readPage, type PageRequest } from "../paging/page";
import type { Context } from "../database/context";
import { findContractName } from "./contract-name";
import { findContractOf } from "../database/subscription-row";
import { awaitsPayer, lackedCard, readReversed, stateOf, sumOf } from "./payment-state";
import { findPayment, receiptNumberOf, type Payment, findOrderingClient } from "./payments";
import { readSeller } from "./receipt-seller";
import type { Refund } from "./owed-refunds";

const newestFirst: Order = [
  { name: "date", value: sql.ref<string>("created_at"), direction: "desc" },
  { name: "uid", value: sql.ref<string>("uid"), direction: "desc" },
];

/** Lists the payments of an account. A payment that nobody has decided is not asked about at the bank. */
export async function listOwnPayments(db: Database, accountUid: string, request: PageRequest) {
  const query = db.selectFrom("payment").selectAll().where("account_uid", "=", accountUid);
  const { rows, page } = await readPage(query, { name: "payments", order: newestFirst }, request);
  return { payload: await describe(db, rows), page };
}

/** The receipt of an account's payment; null when it has no such payment. */
export async function readReceipt(
  { db, site }: Pick<Context, "db" | "site">,
  accountUid: string,
  uid: string,
): Promise<PaymentReceipt | null> {
  const payment = await findPayment(db, uid);
  if (payment?.account_uid !== accountUid) return null;
  const [described] = await describe(db, [payment]);
  const email = await findOwnEmail(db, accountUid);
  if (!described || email === null) return null;
  const contract = await findContractOf(db, payment);
  const name = payment.payer_name ?? (contract ? await findOrderingClient({ db }, contract) : null);
  const { vatRate, statement, ...seller } = readSeller(payment, site);
  return {
    ...described,
    client: { email, ...(name !== null && { name }) },
    seller,
    ...(vatRate !== null && { vat: vatWithin(payment.amount, vatRate) }),
    statement,
  };
}

type Contract = { reference: string; orderUid: string; name: string };

async function describe(db: Database, payments: Payment[]): Promise<ListedPayment[]> {
  if (payments.length === 0) return [];
  const uids = payments.map(({ uid }) => uid);
  const reversed = await readReversed(db, uids);
  const contracts = await readContracts(db, payments);
  return payments.map((payment) => {
    const { uid, subscription_uid } = payment;
    const state = stateOf(payment, reversed);
    const own = reversed.refunds.filter(({ payment_uid }) => payment_uid === uid);
    const contract = contracts.find(
      ({ reference, orderUid }) => orderUid === uid || reference === subscription_uid,
    );
    return {
      uid,
      receipt: receiptNumberOf(uid),
      date: payment.settled_at ?? payment.created_at,
      amount: payment.amount,
      kind: subscription_uid === null ? "first" : "renewal",
      state,
      ...(state === "cancelled" && lackedCard(payment) && { lackedCard: true as const }),
      ...(state === "pending" && awaitsPayer(payment) && { awaiting: "payer" as const }),
      ...(contract && { formulaName: contract.name, contract: contract.reference }),
      ...(payment.covers_from !== null &&
        payment.covers_until !== null && {
          period: { startDateTime: payment.covers_from, endDateTime: payment.covers_until },
        }),
      ...(payment.card_hint !== null && { cardHint: payment.card_hint }),
      refunds: describeRefunds(payment, own),
    };
  });
}

/** The contracts that these payments opened or renewed. */
async function readContracts(db: Database, payments: Payment[]): Promise<Contract[]> {
  const uids = payments.map(({ uid }) => uid);
  const renewed = payments.flatMap(({ subscription_uid }) => subscription_uid ?? []);
  const rows = await db
    .selectFrom("subscription")
    .selectAll()
    .where((e) => {
      const opened = e("payment_uid", "in", uids);
      return renewed.length === 0 ? opened : e.or([opened, e("uid", "in", renewed)]);
    })
    .execute();
  return Promise.all(
    rows.map(async (row) => ({
      reference: row.uid,
      orderUid: row.payment_uid,
      name: await findContractName(db, row),
    })),
  );
}

/** Refunds that were made, and those on their way. The latter are shown with at most what is left of the payment. */
function describeRefunds({ amount: paid }: Payment, refunds: Refund[]) {
  const shown = refunds.filter(({ status }) => status === "success" || status === "pending");
  const left = paid - sumOf(shown.filter(({ status }) => status === "success"));
  return shown.map(({ status, settled_at, created_at, amount }) => ({
    date: settled_at ?? created_at,
    amount: status === "pending" ? Math.min(amount, left) : amount,
    ...(status === "pending" && { isPending: true as const }),
  }));
}
