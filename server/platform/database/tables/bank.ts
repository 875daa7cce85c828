/** The sandbox bank's own books: the site reads none of them. */
export type BankTables = {
  bank_page: {
    uid: string;
    /** SHA-256 of the secret in the page's address. */
    secret_hash: string;
    /** The merchant's payment: one page each. */
    payment_uid: string;
    merchant: string;
    email: string;
    amount: number;
    description: string;
    return_url: string;
    status: "open" | "challenge" | "pending" | "paid" | "declined" | "cancelled" | "expired";
    /** What the card will do once the challenge is passed or the wait is over. */
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
  /** A card that paid: what the bank remembers of it, under a random name. */
  bank_card: {
    reference: string;
    hint: string;
    /** Last month of the card, as `2027-03`. */
    expiry: string | null;
    /** What its next charge will do. */
    next_charge: "success" | "declined" | "challenge";
    created_at: string;
  };
  /** The sandbox bank's ledger: every movement of money, once (unique per reference and kind). */
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

/** What is kept of the exchange with Stripe: names and kinds, nothing about people or cards. */
export type StripeTables = {
  /** Who is which customer there. */
  stripe_customer: { account_uid: string; customer: string; created_at: string };
  /** Events received, each once, until their job and Stripe's repetitions are over. */
  stripe_event: {
    id: string;
    type: string;
    /** Name of what it is about: session, payment, card (`cus_…/pm_…`) or customer. */
    subject: string;
    received_at: string;
  };
};
