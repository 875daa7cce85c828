import type { ListedPayment, PaymentReceipt, PaymentState } from "~/contract/subscriptions";
import { formatAmount, formatCard, formatDate, formatDateTime, formatRate } from "./format";
import { translate } from "./i18n.server";
import type { Within } from "./keys";

export type PaymentWords = {
  uid: string;
  /** Date and amount. */
  line: string;
  /** Whether the page of the payment is a receipt, because something was charged. */
  hasReceipt: boolean;
  /** Nothing was charged, and nothing will be. */
  isAttempt: boolean;
  /** What it paid for, and what went back. */
  details: string[];
  state: string;
  tone: "success" | "warning" | "error" | null;
};

export function paymentWords(payment: ListedPayment): PaymentWords {
  const { uid, amount, state } = payment;
  const values = { date: formatDate(payment.date), amount: formatAmount(amount) };
  const hasReceipt = wasCharged(state);
  return {
    uid,
    line: translate("payments", hasReceipt ? "receiptOf" : "line", values),
    hasReceipt,
    isAttempt: state === "refused" || state === "cancelled",
    details: [serviceOf(payment), periodOf(payment), ...refundsOf(payment)].filter(
      (text) => text !== null,
    ),
    state: stateOf(payment),
    tone: causeOf(payment) ? null : TONES[state],
  };
}

/** `isName`: a name, an address or a code, which no translation may change. */
type Fact = { term: string; value: string | null; isName?: true };

/** A payment on its page: a receipt, unless nothing was charged. */
export function receiptWords(receipt: PaymentReceipt) {
  const { state, client, seller } = receipt;
  const isReceipt = wasCharged(state);
  const t = (key: ReceiptKey, values?: Record<string, string>) =>
    translate("payments", `receipt.${key}`, values);
  const date = formatDateTime(receipt.date);
  const sold: Fact[] = [
    { term: t("service"), value: serviceOf(receipt) },
    { term: t("period"), value: periodOf(receipt) },
    { term: t("contract"), value: receipt.contract ?? null, isName: true },
    { term: t(isReceipt ? "date" : "begun"), value: date },
    {
      term: t(isReceipt ? "amountPaid" : "amount"),
      value: formatAmount(receipt.amount),
      isName: true,
    },
    ...(isReceipt ? taxOf(receipt) : []),
    {
      term: t("card"),
      value: receipt.cardHint ? formatCard(receipt.cardHint) : null,
      isName: true,
    },
    { term: t("statement"), value: isReceipt ? (receipt.statement ?? null) : null, isName: true },
    { term: t("state"), value: stateOf(receipt) },
  ];
  const parties: Fact[] = [
    { term: t("vatNumber"), value: seller.vatNumber ?? null, isName: true },
    { term: t("sellerEmail"), value: seller.email ?? null, isName: true },
    { term: t("phone"), value: seller.phone ?? null, isName: true },
    {
      term: t("client"),
      value: [client.name, client.email].filter(Boolean).join(", "),
      isName: true,
    },
  ];
  return {
    title: isReceipt
      ? t("title", { number: receipt.receipt })
      : t("untitled", { date: formatDate(receipt.date) }),
    number: receipt.receipt,
    seller: seller.imprint,
    parties,
    sold,
    refunds: refundsOf(receipt),
    note: hasNote(state) ? translate("payments", `note.${causeOf(receipt) ?? state}`) : null,
    print: isReceipt ? t("print") : null,
  };
}

type ReceiptKey = Within<"payments", "receipt">;

/** The lines about VAT, in the same words as in the mailed receipt. */
function taxOf({ vat }: PaymentReceipt): Fact[] {
  if (!vat) return [];
  const term = translate("payments", "receipt.tax");
  if (vat.rate === 0) return [{ term, value: translate("payments", "receipt.noVat") }];
  const rate = formatRate(vat.rate);
  const value = translate("payments", "receipt.vat", { amount: formatAmount(vat.tax), rate });
  return [
    {
      term: translate("payments", "receipt.amountBeforeTax"),
      value: formatAmount(vat.beforeTax),
    },
    { term, value },
  ];
}

/** Whether money moved, whatever became of it. */
const wasCharged = (state: PaymentState) => !UNCHARGED.includes(state);

const UNCHARGED: readonly PaymentState[] = ["pending", "delayed", "refused", "cancelled"];

type Told = "pending" | "delayed" | "refused" | "cancelled" | "disputed";
const hasNote = (state: PaymentState): state is Told => state === "disputed" || !wasCharged(state);

const TONES: Record<PaymentState, PaymentWords["tone"]> = {
  paid: "success",
  pending: "warning",
  delayed: "warning",
  refused: "error",
  cancelled: null,
  "partly-refunded": null,
  refunded: null,
  disputed: "warning",
};

/** A free trial is an order without anything to pay. */
function stateOf(payment: ListedPayment) {
  const { state, amount } = payment;
  const shown = state === "paid" && amount === 0 ? "free" : state;
  return translate("payments", `state.${causeOf(payment) ?? shown}`);
}

/** What a person has to know beyond the state: whether the bank was asked at all. */
function causeOf({ lackedCard, awaiting }: ListedPayment) {
  if (lackedCard) return "unasked";
  return awaiting === "payer" ? "unfinished" : null;
}

const serviceOf = ({ kind, formulaName: formula }: ListedPayment) =>
  formula === undefined
    ? translate("payments", `noFormula.${kind}`)
    : translate("payments", `service.${kind}`, { formula });

function periodOf({ period }: ListedPayment): string | null {
  if (!period) return null;
  const from = formatDate(period.startDateTime);
  return translate("payments", "period", { from, until: formatDate(period.endDateTime) });
}

const refundsOf = ({ refunds }: ListedPayment) =>
  refunds.map(({ date, amount, isPending }) =>
    translate("payments", isPending ? "refund.pending" : "refund.made", {
      amount: formatAmount(amount),
      date: formatDate(date),
    }),
  );
