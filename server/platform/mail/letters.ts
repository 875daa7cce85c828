import type { Merchant } from "../ports/context";

/**
 * What the platform writes to people: each kind with the facts its text needs. Dates are ISO texts,
 * amounts cents, links absolute addresses of the site.
 */
export type Letter =
  | { kind: "welcome"; site: Site; offer: string; reference: string; accountUrl: string }
  | {
      kind: "receipt";
      site: Site;
      amount: number;
      date: string;
      periodEnd: string;
      cardHint: string | null;
    }
  | { kind: "renewal-notice"; site: Site; amount: number; date: string; cancelUrl: string }
  | {
      kind: "renewal-declined";
      site: Site;
      amount: number;
      /**
       * What the person must do: confirm at the bank, or give another card. Null for a plain
       * refusal.
       */
      needs: "confirmation" | "card" | null;
      retryAt: string | null;
      graceUntil: string;
      payUrl: string;
    }
  /** The provider could not be reached; the card is not the reason. */
  | {
      kind: "renewal-delayed";
      site: Site;
      amount: number;
      graceUntil: string;
      accountUrl: string;
    }
  /** The first full debit follows a trial. */
  | { kind: "trial-ending"; site: Site; amount: number; date: string; cancelUrl: string }
  /** `expiry`: last month of the card, as `2027-03`. `date`: the debit that it cannot pay. */
  | {
      kind: "card-expiring";
      site: Site;
      amount: number;
      expiry: string;
      date: string;
      payUrl: string;
    }
  /**
   * Nothing is charged without the person. `when`: before the period is due on `date`, once it is, or
   * before the grace ends. `payFrom`: null where it can be paid now.
   */
  | {
      kind: "card-missing";
      site: Site;
      amount: number;
      date: string;
      when: "before" | "due" | "last";
      payFrom: string | null;
      payUntil: string;
      payUrl: string;
    }
  | { kind: "stop-confirmed"; site: Site; endsAt: string }
  | {
      kind: "subscription-ended";
      site: Site;
      endedAt: string;
      registerUrl: string;
      /** "not charged": the provider could not be reached in time. */
      cause: "stopped" | "unpaid" | "not charged" | "returned";
      /** When the profile is deleted; null when it stays. */
      deletedAt: string | null;
    }
  /** `refunded`: cents that were paid for a period that will not begin. */
  | { kind: "account-deleted"; site: Site; date: string; refunded: number }
  | {
      kind: "cancellation-receipt";
      site: Site;
      notice: Notice;
      endsAt: string;
      undoUrl: string;
      undoUntil: string;
      /** True when the contract stops on the wished day, in a period that is not paid yet. */
      isPlanned: boolean;
    }
  /** `endsAt`: end of a contract that was stopped before; null when no contract was found. */
  | { kind: "cancellation-without-effect"; site: Site; notice: Notice; endsAt: string | null }
  /** `refunded`: cents refunded before; null when no contract was found. */
  | { kind: "withdrawal-without-effect"; site: Site; notice: Notice; refunded: number | null }
  /** `debit`: null where it is not renewed all the same, as something else stopped it. */
  | { kind: "cancellation-undone"; site: Site; date: string; debit: Debit | null }
  | { kind: "withdrawal-undone"; site: Site; date: string; debit: Debit | null }
  | { kind: "withdrawal-receipt"; site: Site; notice: Notice; refunded: number }
  /** The refund follows when the link is used, or at `confirmUntil` unless it was undone. */
  | {
      kind: "withdrawal-to-confirm";
      site: Site;
      notice: Notice;
      confirmUrl: string;
      confirmUntil: string;
    }
  | { kind: "refund"; site: Site; amount: number; date: string }
  /** The link deletes a leaving account, so that its e-mail can register again. */
  | {
      kind: "address-release";
      site: Site;
      releaseUrl: string;
      validUntil: string;
      /** End of the access that would be lost; null when there is none. */
      openUntil: string | null;
    }
  /** The person's bank took a payment back; access is closed until the bank decides. */
  | { kind: "payment-disputed"; site: Site; amount: number }
  /** Access is open again after a dispute was won. */
  | { kind: "access-returned"; site: Site; openUntil: string }
  | { kind: "password-reset"; site: Site; resetUrl: string; validUntil: string }
  /** `resetUrl`: for an owner who did not make this change. */
  | { kind: "password-changed"; site: Site; date: string; resetUrl: string }
  | {
      kind: "ticket-received";
      site: Site;
      name: string;
      title: string;
      receivedAt: string;
      url: string;
      linkUntil: string;
    }
  | { kind: "support-link"; site: Site; url: string; linkUntil: string }
  | {
      kind: "answer-arrived";
      site: Site;
      coach: string;
      title: string;
      answer: string;
      /** True when a reply to the mail joins the thread. */
      takesReplies: boolean;
      url: string;
    }
  /** `url`: the page to request a new link, or the discussions. */
  | { kind: "attachment-refused"; site: Site; title: string; textArrived: boolean; url: string }
  | {
      kind: "reply-refused";
      site: Site;
      reason: "wrong sender" | "closed" | "not a message" | "too many" | "too big";
      /** Title of the ticket; null when the sender is not its person. */
      title: string | null;
      url: string;
    }
  | {
      kind: "coach-invited";
      site: Site;
      name: string;
      /** Of the account, which was there before. */
      hadPassword: boolean;
      /** Sets the password; null: the one that it had is still good. */
      passwordUrl: string | null;
      deskUrl: string;
    };

/**
 * What is charged next. `now`: at once, and again on `date`; `later`: on `date`; `by hand`: nothing
 * without the person, who pays on a page until `date`.
 */
export type Debit = { when: "now" | "later" | "by hand"; amount: number; date: string };

/** A letter of one kind. */
export type LetterOf<Kind extends Letter["kind"]> = Extract<Letter, { kind: Kind }>;

/** The site in a letter. `url` is empty when no origin is trusted: the letter has no links then. */
export type Site = Merchant & { title: string; url: string };

/** A notice as its unverified sender typed it. */
export type Notice = {
  name: string;
  email: string;
  reference: string | null;
  receivedAt: string;
  /** The day from which the cancellation is wanted. */
  wishedDate?: string | null | undefined;
};
