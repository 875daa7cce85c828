import type { Generated } from "kysely";
import type { Flag } from "./flag";

export type MoneyTables = {
  formula: {
    uid: string;
    name: string;
    amount: number;
    trial_amount: number | null;
    credit_amount: number | null;
    trial_duration: number | null;
    trial_duration_unit: string | null;
    period_duration: number;
    period_duration_unit: string;
    /** Not sold any more since then; running contracts go on. */
    retired_at: string | null;
  };
  traffic_token: { value: string; formula_uid: string; is_valid: Flag };
  subscription: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    payment_uid: string;
    amount: number;
    trial_amount: number | null;
    credits: number | null;
    card_reference: string | null;
    started_at: string;
    /** From then on the account has the role `vip`. */
    activates_at: string;
    expires_at: string;
    cancelled_at: string | null;
    ended_at: string | null;
    /** Start of the period that is paid; null before the first renewal: `started_at`. */
    period_start: string | null;
    /** Declined charges of the period that is due. */
    renewal_attempts: number;
    /** What the last declined charge asks of the person, where it is more than the bank's no. */
    renewal_needs: "confirmation" | "card" | null;
    /** Last month in which the card that is charged pays, as `2027-03`; null: not known. */
    card_expiry: string | null;
    /** Access lasts until then while a renewal is unpaid; null once it is stopped. */
    grace_until: string | null;
    withdrawn_at: string | null;
    /** The site it was bought on: mails sent later link there. */
    origin: string | null;
    /** Start of the first full period: all later ones are counted from it. */
    anchor_at: string | null;
    /** The contract's own period: a formula that changes changes no contract. */
    period_duration: number | null;
    period_duration_unit: string | null;
    /** Of a deleted person: keyed hash of the e-mail, while the contract may be withdrawn from. */
    former_key: string | null;
    /** It ended because this payment went back; what comes back opens it again. */
    ended_by_payment: string | null;
  };
  payment: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    traffic_token: string | null;
    kind: "first" | "renewal";
    amount: number;
    /** What was offered, as JSON: the contract it opens has these terms. Null for renewals. */
    offer: string | null;
    cashback: Flag;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    idempotency_key: string | null;
    intent_digest: string | null;
    /** open: the person is at the bank's page; pending: the bank has not answered yet. */
    status: "open" | "pending" | "success" | "failure" | "cancelled";
    error_code: string | null;
    error_message: string | null;
    /** The bank's name for this payment and for the card, never the card. */
    gateway_reference: string | null;
    card_reference: string | null;
    /** First 6 and last 4 digits at most. */
    card_hint: string | null;
    created_at: string;
    settled_at: string | null;
    /** Renewals: whose, and when the period they are to pay is due; null again once taken back. */
    subscription_uid: string | null;
    period_start: string | null;
    /** The period it has paid; null where it paid for nothing. */
    covers_from: string | null;
    covers_until: string | null;
    /** The site it is made on: the subscription's, however late and by whom it is settled. */
    origin: string | null;
  };
  refund: {
    uid: string;
    /** One refund of ours a payment; any number by hand, at the provider. */
    payment_uid: string;
    /** Of ours: what is left to give back when it is asked for. */
    amount: number;
    /** failure: given up, the operator was told; cancelled: nothing was left to give back. */
    status: "pending" | "success" | "failure" | "cancelled";
    created_at: string;
    settled_at: string | null;
    made_by: Generated<"platform" | "provider">;
    /** The provider's name of a refund made there. */
    reference: string | null;
    /** Number of the try under way. */
    attempt: Generated<number>;
  };
  /** What a bank claims back of a payment, as the provider told it. */
  payment_claim: {
    /** The provider's name. */
    reference: string;
    payment_uid: string;
    /** warning: of fraud, nothing is taken yet; inquiry: a question before a dispute. */
    kind: "dispute" | "inquiry" | "warning";
    amount: number;
    status: "open" | "won" | "lost";
    created_at: string;
    closed_at: string | null;
  };
  /** Cancellations and withdrawals notified by anybody. */
  contract_notice: {
    uid: string;
    kind: "cancellation" | "withdrawal";
    name: string;
    email: string;
    /** E-mail as compared. */
    email_key: string;
    /** Keyed hash of who sent it: only they are shown its receipt again. */
    sender_key: string | null;
    /** An earlier notice that said the same. */
    repeats_uid: string | null;
    reference: string | null;
    wished_date: string | null;
    received_at: string;
    /** The contract it changes; null while it changes none. */
    subscription_uid: string | null;
    /** From when on it keeps the contract from being renewed; null where it was stopped before. */
    stops_at: string | null;
    /** Secret of the mailed link, hashed: undoes it, or confirms a withdrawal at once. */
    undo_hash: string | null;
    undo_until: string | null;
    undone_at: string | null;
    /** Withdrawals: when it took effect. */
    confirmed_at: string | null;
    /** The site it was sent on. */
    origin: string | null;
  };
};
