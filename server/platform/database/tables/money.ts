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
    /** Time from which it is no longer sold; running contracts go on. */
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
    /** Time from which the account has the role `vip`. */
    activates_at: string;
    expires_at: string;
    cancelled_at: string | null;
    ended_at: string | null;
    /** Start of the paid period; null before the first renewal, when it is `started_at`. */
    period_start: string | null;
    /** Declined charges for the due period. */
    renewal_attempts: number;
    /** What the person must do after the last declined charge; null when nothing but another try. */
    renewal_needs: "confirmation" | "card" | null;
    /** Last valid month of the charged card, as `2027-03`; null when unknown. */
    card_expiry: string | null;
    /** End of access while a renewal is unpaid; null after the renewal was stopped. */
    grace_until: string | null;
    withdrawn_at: string | null;
    /** Origin of the purchase: later mails link there. */
    origin: string | null;
    /** Start of the first full period, from which all later periods are counted. */
    anchor_at: string | null;
    /** The period of this contract: a later change of the formula does not change it. */
    period_duration: number | null;
    period_duration_unit: string | null;
    /** Keyed hash of an erased person's e-mail, kept while they may withdraw from the contract. */
    former_key: string | null;
    /** The reversed payment that ended the contract; it reopens when the money comes back. */
    ended_by_payment: string | null;
  };
  payment: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    traffic_token: string | null;
    kind: "first" | "renewal";
    amount: number;
    /** The shown offer as JSON, which becomes the terms of the contract. Null for renewals. */
    offer: string | null;
    cashback: Flag;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    idempotency_key: string | null;
    intent_digest: string | null;
    /** open: the person is on the bank's page; pending: the bank has not decided yet. */
    status: "open" | "pending" | "success" | "failure" | "cancelled";
    error_code: string | null;
    error_message: string | null;
    /** The provider's references of the payment and the card, never the card itself. */
    gateway_reference: string | null;
    card_reference: string | null;
    /** First 6 and last 4 digits at most. */
    card_hint: string | null;
    created_at: string;
    settled_at: string | null;
    /**
     * Renewals: the subscription and the start of the due period; null after the charge was called
     * off.
     */
    subscription_uid: string | null;
    period_start: string | null;
    /** The period that this payment paid; null when it paid none. */
    covers_from: string | null;
    covers_until: string | null;
    /** Origin of the purchase, also for payments that a job settles later. */
    origin: string | null;
  };
  refund: {
    uid: string;
    /** At most one refund by the platform per payment, and any number made by hand at the provider. */
    payment_uid: string;
    /** For refunds by the platform: the amount that was still refundable. */
    amount: number;
    /** failure: given up, logged for the operator; cancelled: nothing was left to refund. */
    status: "pending" | "success" | "failure" | "cancelled";
    created_at: string;
    settled_at: string | null;
    made_by: Generated<"platform" | "provider">;
    /** The provider's reference of a refund made there. */
    reference: string | null;
    /** Number of the current attempt. */
    attempt: Generated<number>;
  };
  /** Claims of a cardholder's bank on a payment, as the provider reports them. */
  payment_claim: {
    /** The provider's reference of the claim. */
    reference: string;
    payment_uid: string;
    /** warning: suspected fraud, no money taken; inquiry: a question before a dispute. */
    kind: "dispute" | "inquiry" | "warning";
    amount: number;
    status: "open" | "won" | "lost";
    created_at: string;
    closed_at: string | null;
  };
  /** Cancellations and withdrawals, also without sign-in. */
  contract_notice: {
    uid: string;
    kind: "cancellation" | "withdrawal";
    name: string;
    email: string;
    /** E-mail for comparison. */
    email_key: string;
    /** Keyed hash of the sender: only they may see the receipt again. */
    sender_key: string | null;
    /** An earlier notice with the same content. */
    repeats_uid: string | null;
    reference: string | null;
    wished_date: string | null;
    received_at: string;
    /** The contract that it changes; null while it changes none. */
    subscription_uid: string | null;
    /** Time from which it stops the renewal; null when the renewal was stopped before. */
    stops_at: string | null;
    /** Hash of the mailed secret that undoes the notice, or confirms a withdrawal at once. */
    undo_hash: string | null;
    undo_until: string | null;
    undone_at: string | null;
    /** Withdrawals: the time when they took effect. */
    confirmed_at: string | null;
    /** Origin where it was sent. */
    origin: string | null;
  };
};
