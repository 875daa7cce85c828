/**
 * The payment provider, as the platform sees it: a real one is one file that fulfils this, plus the
 * pages it answers itself (its notifications). Amounts in cents of euro.
 *
 * `paymentUid` is the merchant's name of a payment and its idempotency key: the same call twice, at
 * once or after a crash, moves money once and gets the same answer. `reference` is the provider's.
 */
export type PaymentGateway = {
  /** A page where one payment can be paid once, until it is settled, closed or expired. */
  createPaymentPage(request: PaymentPageRequest): Promise<PaymentPage>;
  /**
   * Takes an open page out of use, for good: after an answer of `cancelled` nobody can pay it any
   * more. A page that was paid, refused or is being decided stays so, and the answer says it.
   */
  closePaymentPage(reference: string): Promise<PaymentDecision>;
  /**
   * Uses a card typed at the site. Absent where the provider takes cards on its own page
   * only. The card crosses this call and is kept nowhere.
   */
  authorize?(request: CardPaymentRequest): Promise<CardDecision>;
  /**
   * Charges a card known by its reference, without the person: renewals. A refusal of this card or of
   * this one request is an outcome.
   * @throws ProviderFailure when nothing was decided: the provider is out of reach or refuses the
   * shop itself. Asked again under the same name, it charges once.
   */
  charge(request: ChargeRequest): Promise<PaymentDecision>;
  /** Gives a paid amount back, once for a `refundUid`. */
  refund(request: RefundRequest): Promise<RefundDecision>;
  /** What the provider knows now; the truth whenever a notification is late or lost. */
  status(payment: PaymentName): Promise<PaymentState>;
  /** What went back of a payment or is claimed back, by whosever hand: the truth behind `onReversal`. */
  reversals(payment: PaymentName): Promise<Reversals>;
  /**
   * Deletes a person's profile and cards at the provider: nothing can be charged afterwards, what was
   * paid can still be refunded. Absent where nothing is kept by person.
   */
  forgetPayer?(payer: string): Promise<void>;
  /**
   * Whom to tell. A notification may come late, twice, out of order or never; when the listener
   * fails, the provider may tell again, and `status` answers the same.
   */
  onNotification(listener: NotificationListener): void;
  /** Whom to tell that money of a payment went back or is claimed back; `reversals` says which. */
  onReversal(listener: ReversalListener): void;
  /** Whom to tell that a card can be charged no more, because it was removed at the provider. */
  onCardRemoved(listener: CardListener): void;
};

/** The reference is null where the process died before it was known; then the payer helps to find it. */
export type PaymentName = { paymentUid: string; reference: string | null; payer: string };

export type PaymentPageRequest = {
  /** The merchant's name of the payment; comes back in notifications. */
  paymentUid: string;
  merchant: string;
  /** The merchant's name of the person: the same one is one customer. */
  payer: string;
  email: string;
  amount: number;
  /** What is bought, in the words of the person who pays. */
  description: string;
  /** For how long one is bound, and how to get out of it: stands beside the button that pays. */
  conditions: string;
  /** Where the browser goes afterwards, with `success=1` when paid and `success=0` otherwise. */
  returnUrl: string;
};

/** Digits of the number only; the year in four digits. */
export type Card = { number: string; month: number; year: number; code: string };

export type CardPaymentRequest = PaymentPageRequest & { card: Card };

export type ChargeRequest = {
  paymentUid: string;
  cardReference: string;
  email: string;
  amount: number;
  description: string;
};

export type RefundRequest = {
  refundUid: string;
  /** A refund that failed is over: the next try has the next number, and moves money by itself. */
  attempt: number;
  /** The payment that is given back. */
  payment: PaymentName;
  email: string;
  amount: number;
};

/** `reference`: the provider's name of the payment. */
export type PaymentPage = { reference: string; url: string };

/** `reference` comes with the outcome too: a merchant that crashed knows the payment by uid only. */
export type PaymentOutcome =
  | {
      status: "success";
      reference?: string;
      cardReference: string;
      cardHint: string;
      /** Last month in which the card pays, where the provider tells. */
      cardExpiry?: CardExpiry | undefined;
    }
  | {
      status: "failure" | "cancelled";
      code: string;
      message: string;
      needs?: RenewalNeed | undefined;
    };

export type PaidOutcome = Extract<PaymentOutcome, { status: "success" }>;

/** The year in four digits. */
export type CardExpiry = { month: number; year: number };

/**
 * What a refused charge asks of the person, where it is more than the bank's no: `confirmation`, the
 * bank wants them to confirm, and charging without them is useless; `card`, this card cannot be
 * charged any more, whatever its bank says.
 */
export type RenewalNeed = "confirmation" | "card";

/** The provider decided nothing: it is out of reach, or refuses the shop. No card was refused. */
export class ProviderFailure extends Error {
  override readonly name: string = "ProviderFailure";

  constructor(
    message: string,
    /** Why, as the operator may read it: no secret, nothing of the person. */
    readonly reason: string,
    /** When it may answer again, by itself; null: its operator or the shop's has to act first. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** `pending`: the card was given, the bank has not answered yet. */
export type PaymentDecision = { status: "pending" } | PaymentOutcome;

/** `challenge`: the person confirms at `url` and comes back to the return address. */
export type CardDecision = { reference: string } & (
  { status: "challenge"; url: string } | PaymentDecision
);

/**
 * `unknown`: the provider never heard of it; no money moved and none will. Where it looked in books that
 * run behind, that is known of payments older than `lagMs` only.
 */
export type PaymentState =
  | { status: "open"; url: string; reference?: string }
  | { status: "unknown"; lagMs?: number }
  | PaymentDecision;

export type Reversals = {
  refunds: {
    reference: string;
    /** Null: made by hand, at the provider. */
    refundUid: string | null;
    attempt: number;
    amount: number;
    status: RefundDecision["status"];
  }[];
  claims: Claim[];
};

/**
 * What a bank says about a payment. A dispute takes the money until it is won; an inquiry comes before
 * one, a warning of fraud too. `won`: for the merchant, or withdrawn.
 */
export type Claim = {
  reference: string;
  kind: "dispute" | "inquiry" | "warning";
  amount: number;
  status: "open" | "won" | "lost";
};

export type RefundDecision = { status: "pending" } | { status: "success" } | { status: "failure" };

export type NotificationListener = (paymentUid: string, decision: PaymentDecision) => Promise<void>;

export type ReversalListener = (paymentUid: string) => Promise<void>;

/** One card, or all of a person whose profile was removed. */
export type RemovedCard = { cardReference: string } | { payer: string };
export type CardListener = (removed: RemovedCard) => Promise<void>;
