/**
 * The payment provider, as the platform sees it: a real one is one file that fulfils this, plus the
 * pages it answers itself (its notifications). Amounts in cents of euro. Card data never crosses
 * it: the person types the card on the provider's page.
 */
export type PaymentGateway = {
  /** A page where one payment can be paid once, until it is settled, closed or expired. */
  createPaymentPage(request: PaymentPageRequest): Promise<PaymentPage>;
  /**
   * Takes an open page out of use, for good: after an answer of `cancelled` nobody can pay it any
   * more. A page that was paid, refused or is being decided stays so, and the answer says it.
   */
  closePaymentPage(reference: string): Promise<PaymentDecision>;
  /** What the provider knows now; the truth whenever a notification is late or lost. */
  status(reference: string): Promise<PaymentState>;
  /**
   * Whom to tell. A notification may come late, twice, out of order or never; when the listener
   * fails, the provider may tell again, and `status` answers the same.
   */
  onNotification(listener: NotificationListener): void;
};

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

/** `reference`: the provider's name of the payment. */
export type PaymentPage = { reference: string; url: string };

export type PaymentOutcome =
  | { status: "success"; cardReference: string; cardHint: string }
  | { status: "failure" | "cancelled"; code: string; message: string };

/** `pending`: the card was given, the bank has not answered yet. */
export type PaymentDecision = { status: "pending" } | PaymentOutcome;

export type PaymentState = { status: "open"; url: string } | PaymentDecision;

export type NotificationListener = (paymentUid: string, decision: PaymentDecision) => Promise<void>;
