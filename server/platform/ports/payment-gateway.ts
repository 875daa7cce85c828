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
  /**
   * Whom to tell. A notification may come late, twice, out of order or never; when the listener
   * fails, the provider may tell again, and `status` answers the same.
   */
  onNotification(listener: NotificationListener): void;
};

/** The reference is null where the process died before it was known. */
export type PaymentName = { paymentUid: string; reference: string | null };

export type PaymentPageRequest = {
  /** The merchant's name of the payment; comes back in notifications. */
  paymentUid: string;
  merchant: string;
  email: string;
  amount: number;
  /** What is bought, in the words of the person who pays. */
  description: string;
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
  /** Of the payment that is given back. */
  reference: string;
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

/** `unknown`: the provider never heard of it; no money moved and none will. */
export type PaymentState =
  { status: "open"; url: string; reference?: string } | { status: "unknown" } | PaymentDecision;

export type RefundDecision = { status: "pending" } | { status: "success" } | { status: "failure" };

export type NotificationListener = (paymentUid: string, decision: PaymentDecision) => Promise<void>;
