/**
 * The payment provider. Amounts are cents of euro.
 *
 * `paymentUid` is our name of a payment and its idempotency key: repeated calls, concurrent or
 * after a crash, move money once and get the same answer. `reference` is the provider's name of the
 * payment.
 */
export type PaymentGateway = {
  /** Words of the button that pays on its page; absent where the provider chooses them. */
  orderButton?: string;
  /** Absent where a page charges and shows everything that a formula can hold. */
  pageLimits?: PageLimits | undefined;
  /** Set where the provider refuses a shop that asks too often, so that people must not read without end. */
  limitsRequests?: true;
  /** Set where a bank may send a refund back weeks after it was made. */
  refundsMayBounce?: true;
  /** Creates a page where one payment can be paid once, until it is settled, closed or expired. */
  createPaymentPage(request: PaymentPageRequest): Promise<PaymentPage>;
  /**
   * Closes an open page. After the answer `cancelled` it can never be paid. A page that is already paid,
   * refused or pending stays so, and the answer says it.
   */
  closePaymentPage(reference: string): Promise<PaymentDecision>;
  /**
   * Pays with a card typed on the site. Absent when the provider accepts cards only on its own
   * page. The card is stored nowhere.
   */
  authorize?(request: CardPaymentRequest): Promise<CardDecision>;
  /**
   * Charges a stored card without the person, for renewals. A refusal of the card or of this
   * request is an outcome.
   * @throws ProviderFailure when nothing was decided: the provider cannot be reached, or refuses
   *   the shop itself; `NotAsked` when no money can have moved. A retry with the same `paymentUid`
   *   charges once.
   */
  charge(request: ChargeRequest): Promise<PaymentDecision>;
  /** Refunds a paid amount, once per `refundUid`. */
  refund(request: RefundRequest): Promise<RefundDecision>;
  /** Reads the current state at the provider. It is right even when a notification is late or lost. */
  status(payment: PaymentName): Promise<GatewayState>;
  /** Reads all refunds and claims of a payment, whoever started them. `onReversal` announces changes. */
  reversals(payment: PaymentName): Promise<Reversals>;
  /**
   * Deletes the customer and their cards at the provider. Payments can still be refunded. Absent
   * when the provider keeps no customers.
   */
  deletePayer?(payer: string): Promise<void>;
  /** Gives the customer another e-mail at the provider. Absent when the provider keeps no customers. */
  updatePayer?(payer: string, email: string): Promise<void>;
  /**
   * Sets the listener for decisions. A notification may come late, twice, out of order or never.
   * When the listener fails, the provider may notify again, and `status` answers the same.
   */
  onNotification(listener: NotificationListener): void;
  /** Sets the listener for refunds and claims of a payment; `reversals` has the details. */
  onReversal(listener: ReversalListener): void;
  /** Sets the listener for cards that were removed at the provider and cannot be charged any more. */
  onCardRemoved(listener: CardListener): void;
};

/** In cents: Stripe charges at least 0.50 euros. No formula may cost less, whichever provider is used. */
export const LEAST_CHARGE = 50;

/** A formula beyond the limits of a payment page is not sold. */
export type PageLimits = {
  /** Name of the provider, for the shop's owner. */
  provider: string;
  leastCharge: number;
  /** Characters of the `conditions`. */
  longestConditions: number;
};

/** The reference is null when the process died before storing it; the payer then helps to find it. */
export type PaymentName = { paymentUid: string; reference: string | null; payer: string };

export type PaymentPageRequest = {
  /** Our name of the payment; notifications carry it. */
  paymentUid: string;
  merchant: string;
  /** Our name of the customer. */
  payer: string;
  email: string;
  amount: number;
  /** What is bought, shown to the payer. */
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
  /** When it was first tried (ISO date). */
  begunAt: string;
  /** With what its last try ended undecided; null for none. `isAsked`: as of `asked_at`. */
  lastFault: { reason: string; isAsked: boolean } | null;
};

export type RefundRequest = {
  refundUid: string;
  /** A failed refund is final; a retry has the next number and is a refund of its own. */
  attempt: number;
  /** The payment to refund. */
  payment: PaymentName;
  email: string;
  amount: number;
  /** More than this may be left of the payment, so that the provider would accept the amount twice. */
  isPart?: boolean;
};

/** `reference`: the provider's name of the payment. */
export type PaymentPage = { reference: string; url: string };

/** The outcome repeats `reference`: after a crash the platform knows only the uid. */
export type PaymentOutcome =
  | {
      status: "success";
      reference?: string;
      cardReference: string;
      cardHint: string;
      /** Last month in which the card is valid, when the provider tells it. */
      cardExpiry?: CardExpiry | undefined;
      /** When the person paid, when the provider tells it: the notification may be late. */
      paidAt?: Date | undefined;
      /** What was charged, in the smallest unit of its currency, when the provider tells it. */
      charged?: { amount: number; currency: string } | undefined;
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
 * What the person must do after some refused charges. `confirmation`: the bank wants the person to
 * confirm, so a charge without them is useless. `card`: this card can never be charged again.
 */
export type RenewalNeed = "confirmation" | "card";

/** The provider decided nothing: it cannot be reached, or it refuses the shop. No card was refused. */
export class ProviderFailure extends Error {
  override readonly name: string = "ProviderFailure";

  constructor(
    message: string,
    /** The reason for the operator, without secrets or personal data. */
    readonly reason: string,
    /** When a retry may succeed; null when the provider or the shop's owner must act first. */
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** The provider was not asked for the charge, or refused the call before it asked the bank: no money has moved. */
export class NotAsked extends ProviderFailure {
  override readonly name = "NotAsked";
}

/** `pending`: the card was submitted, the bank has not decided yet. `paidAt`: as of a success. */
export type PaymentDecision = { status: "pending"; paidAt?: Date | undefined } | PaymentOutcome;

/** `challenge`: the person confirms at `url` and comes back to the return address. */
export type CardDecision = { reference: string } & (
  { status: "challenge"; url: string } | PaymentDecision
);

/**
 * `unknown`: the provider does not know the payment; no money has moved or will. When the provider
 * searches an index with a delay, this holds only for payments older than `lagMs`.
 */
export type GatewayState =
  | { status: "open"; url: string; reference?: string }
  | { status: "unknown"; lagMs?: number }
  | PaymentDecision;

export type Reversals = {
  refunds: {
    reference: string;
    /** Null for a refund made by hand at the provider. */
    refundUid: string | null;
    attempt: number;
    amount: number;
    status: RefundDecision["status"];
  }[];
  claims: Claim[];
};

/**
 * A claim of the cardholder's bank. A dispute takes the money back until the merchant wins it; an
 * inquiry or a fraud warning may come before it. `won`: the merchant keeps the money, or the claim
 * was withdrawn.
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

/** One card, whose `payer` is null where it is not known any more, or all cards of a customer who was removed. */
export type RemovedCard =
  { cardReference: string; payer: string | null } | { cardReference: null; payer: string };
export type CardListener = (removed: RemovedCard) => Promise<void>;
