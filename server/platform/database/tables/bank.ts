/** Tables of the sandbox bank; the site never reads them. */
export type BankTables = {
  bank_page: {
    uid: string;
    /** SHA-256 of the secret in the page's address. */
    secret_hash: string;
    /** The merchant's payment; one page per payment. */
    payment_uid: string;
    merchant: string;
    email: string;
    amount: number;
    description: string;
    /** Null for a page of an earlier release. */
    conditions: string | null;
    return_url: string;
    status: "open" | "challenge" | "pending" | "paid" | "declined" | "cancelled" | "expired";
    /** Outcome after the challenge or the delay. */
    outcome: "success" | "declined" | null;
    error_code: string | null;
    card_reference: string | null;
    card_hint: string | null;
    /** Last month of the card, as `2027-03`. */
    card_expiry: string | null;
    created_at: string;
    expires_at: string;
    settled_at: string | null;
  };
  /** A card that has paid, stored under a random reference. */
  bank_card: {
    reference: string;
    hint: string;
    /** Last month of the card, as `2027-03`. */
    expiry: string | null;
    /** Outcome of the next charge. */
    next_charge: "success" | "declined" | "refused" | "challenge";
    created_at: string;
  };
  /** Ledger of the sandbox bank: one charge a page, and refunds up to its amount. */
  bank_movement: {
    uid: string;
    reference: string;
    at: string;
    email: string;
    kind: "charge" | "refund";
    amount: number;
    currency: "EUR";
    status: "success" | "declined";
  };
};

/** Stored data about Stripe: identifiers and types, nothing about people or cards. */
export type StripeTables = {
  /** The Stripe customer of each account. */
  stripe_customer: { account_uid: string; customer: string; created_at: string };
  /** Received events, each once, kept until their job is done and Stripe no longer repeats them. */
  stripe_event: {
    id: string;
    type: string;
    /** Identifier of the event's object: session, payment, card (`cus_…/pm_…`) or customer. */
    subject: string;
    received_at: string;
  };
};
