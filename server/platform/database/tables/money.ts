import type { Generated } from "kysely";
import type { Flag } from "./flag";

export type MoneyTables = {
  formula: {
    uid: string;
    name: string;
    amount: number;
    trial_amount: number | null;
    credit_amount: number | null;
    /** The conditions of the credit: all of them, or none. */
    credit_debtor: string | null;
    credit_way: string | null;
    credit_delay_days: number | null;
    credit_delay_after: string | null;
    credit_conditions: string | null;
    trial_duration: number | null;
    trial_duration_unit: string | null;
    period_duration: number;
    period_duration_unit: string;
    /** Time from which it is no longer sold; running contracts go on. */
    retired_at: string | null;
    /** When the owner made a formula of the demonstration their own, as it is. */
    confirmed_at: string | null;
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
    /** Digest of the card and month whose expiry was mailed last: each is mailed once. */
    card_told: string | null;
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
    /** The version of the terms that its person accepted, or was told of last by a mail that was sent. */
    terms_digest: string | null;
    /** The version that counts until `terms_apply_at`. */
    terms_before: string | null;
    /** Start of `terms_before`; null when it counts from the order on. */
    terms_before_from: string | null;
    /** Start of the version that was told; null for one that was accepted. */
    terms_apply_at: string | null;
    /** When the last announcement was sent; null without one, or once it was taken back. */
    terms_told_at: string | null;
  };
  payment: {
    uid: string;
    account_uid: string;
    formula_uid: string;
    traffic_token: string | null;
    /**
     * `first`: paid by the person, on the bank's page or with a card: an order, or a due period of a
     * contract. `renewal`: charged by itself with the stored card.
     */
    kind: "first" | "renewal";
    amount: number;
    /** The shown offer as JSON; that of an order becomes the terms of its contract. Null where none was shown. */
    offer: string | null;
    cashback: Flag;
    affiliation_token: string | null;
    affiliation_platform: string | null;
    idempotency_key: string | null;
    intent_digest: string | null;
    /** open: the person is on the bank's page; pending: the bank has not decided yet. */
    status: "open" | "pending" | "success" | "failure" | "cancelled";
    /** The provider's reason, also of a renewal that it could not be asked for yet. */
    error_code: string | null;
    error_message: string | null;
    /**
     * Undecided renewals: when the provider was last asked for the charge, so that money may have moved. Null while
     * it certainly was not.
     */
    asked_at: string | null;
    /** The provider's references of the payment and the card, never the card itself. */
    gateway_reference: string | null;
    card_reference: string | null;
    /**
     * Undecided payments: references, separated by spaces, of the cards that the provider removed meanwhile, or `all`
     * for those of a removed customer. Null once it is settled.
     */
    removed_cards: string | null;
    /** First 6 and last 4 digits at most. */
    card_hint: string | null;
    created_at: string;
    /**
     * When the person paid: on the bank's page this is later than `created_at`. Of several times that are
     * told, the earliest. Null before.
     */
    ordered_at: string | null;
    settled_at: string | null;
    /**
     * The due period that this payment is for, whoever pays it: its subscription and start. Both are null for
     * orders. The start becomes null when this payment no longer pays the period, so that another one may.
     */
    subscription_uid: string | null;
    period_start: string | null;
    /** The period that this payment paid; null when it paid none. */
    covers_from: string | null;
    covers_until: string | null;
    /** Origin of the purchase, also for payments that a job settles later. */
    origin: string | null;
    /** Orders: the version of the terms that they are made under. */
    terms_digest: string | null;
    /** When it was accepted, if that was with this order. */
    terms_accepted_at: string | null;
    /** Whether the order named it; null for orders older than this column. */
    terms_named: Flag | null;
    /** Name as given with the order. */
    payer_name: string | null;
    /**
     * E-mail of an erased person whose order the bank may still accept, for the letters about its refund; null
     * once nothing is owed.
     */
    payer_email: string | null;
    /** Words of the button that ordered; null where the provider chooses them. */
    order_button: string | null;
    /** What its receipt says of the seller and the VAT, as JSON; null while nothing was paid. */
    seller: string | null;
    /**
     * 1 where it renewed a long term whose notice had not gone out in time (L215-1), so that its person may end that
     * at any time; null of all others.
     */
    unannounced: Flag | null;
  };
  refund: {
    uid: string;
    /**
     * At most one refund by the platform per payment, and any number that operators order or make by hand at
     * the provider.
     */
    payment_uid: string;
    /** For refunds by the platform: the amount that was still refundable; for ordered ones at most this. */
    amount: number;
    /**
     * failure: refused and given up, logged for the operator; undecided: given up without a decision, so that the
     * money may have gone back; cancelled: nothing was left to refund.
     */
    status: "pending" | "success" | "failure" | "undecided" | "cancelled";
    created_at: string;
    settled_at: string | null;
    /**
     * platform: of what is left, because of a rule; operator: of an amount, ordered by a command and made by
     * the platform; provider: by hand at the provider.
     */
    made_by: Generated<"platform" | "operator" | "provider">;
    /** The provider's reference of a refund made there. */
    reference: string | null;
    /** Number of the current attempt. */
    attempt: Generated<number>;
    /**
     * Ordered refunds only: who ordered it and why. A reason is given once per payment; a renewal that a letter gives
     * back has one, too.
     */
    ordered_by: string | null;
    reason: string | null;
    /** Who recorded that it was paid by another way than the card, and under which reference. `settled_at` is its day. */
    repaid_by: string | null;
    repaid_reference: string | null;
  };
  /** What is owed to the people of contracts with a credit: one row a contract, on its own terms. */
  credit: {
    subscription_uid: string;
    amount: number;
    debtor: string;
    way: string;
    delay_days: number;
    delay_after: string;
    conditions: string;
    status: "awaited" | "due" | "paid" | "void";
    /** When it falls due; null before the event from which the delay is counted. */
    due_at: string | null;
    /** Day on which it was paid. */
    paid_on: string | null;
    void_reason: "withdrawn" | "refunded" | "disputed" | "ended" | null;
    /** Why it is not owed any more although it was paid. */
    reclaim_reason: "withdrawn" | "refunded" | "disputed" | null;
    created_at: string;
    /** When it was recorded as paid or void. */
    settled_at: string | null;
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
  /** What proves a contract, kept apart from the profile. */
  contract_proof: {
    subscription_uid: string;
    /** The one of the order. */
    email: string;
    /** The one that its person corrected it to; null where that is the one of the order. */
    corrected_email: string | null;
    /** Name as given with the order. */
    name: string | null;
    ordered_at: string;
    terms_digest: string | null;
    /** When the account was opened, and the version accepted then. */
    registered_at: string | null;
    registered_terms: string | null;
    /** How the version of the order was accepted; null where nobody was asked, or nothing tells. */
    terms_accepted_at: string | null;
    terms_accepted_by: "registration" | "order" | "earlier-order" | null;
    /** Whether the order named that version; null for contracts older than this column. */
    terms_named: Flag | null;
    /** The offer in the words that were shown. */
    offer: string;
    conditions: string;
    button: string | null;
  };
  /** Mails about a contract, without the secrets of their links. */
  contract_mail: {
    /** The uid that it had in the outbox. */
    uid: string;
    subscription_uid: string;
    /** Kind of the letter. */
    kind: string;
    created_at: string;
    subject: string;
    text: string;
    /** The same for the export, where the text holds what somebody else typed. */
    export_text: string | null;
    /** Null while it waits in the outbox, and for good once it is given up. */
    sent_at: string | null;
    given_up_at: string | null;
  };
  /** Cancellations and withdrawals, also without sign-in. */
  contract_notice: {
    uid: string;
    kind: "cancellation" | "withdrawal";
    name: string;
    email: string;
    /** E-mail for comparison. */
    email_key: string;
    /**
     * Keyed hash of the sender: only they may see the receipt again. Null for one that came by post, empty once that
     * of a network address is cleared.
     */
    sender_key: string | null;
    /** Keyed hash of the wider network that sent it; null once that is cleared, and for the contract's own account. */
    network_key: string | null;
    /** An earlier notice with the same content, or one that covers this one. */
    repeats_uid: string | null;
    reference: string | null;
    /**
     * Cancellations: the day from which the stop is wanted. Withdrawals: the day on which one was declared
     * that came by post or e-mail; null for one of the page.
     */
    wished_date: string | null;
    received_at: string;
    /** The contract that it changes; null while it changes none, as of a repetition (`contractOfNotice`). */
    subscription_uid: string | null;
    /** Time from which it stops the renewal; null when the renewal was stopped before. */
    stops_at: string | null;
    /** Hash of the mailed secret that undoes the notice, or confirms a withdrawal at once. */
    undo_hash: string | null;
    undo_until: string | null;
    undone_at: string | null;
    /** Withdrawals: the time when they took effect. */
    settled_at: string | null;
    /** Withdrawals: when their link, their signed-in owner or a letter confirmed them; null where time alone did. */
    confirmed_at: string | null;
    /** Origin where it was sent. */
    origin: string | null;
    /** When the mail with its link went out; null while it did not. */
    mailed_at: string | null;
    /** The slot that this mail takes in its mailbox (`limited_event`). */
    mail_slot: string | null;
    /** Whether its sender was signed in. */
    signed_in: Flag;
  };
};
