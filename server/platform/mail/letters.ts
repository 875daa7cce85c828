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
      /** Null: the bank refuses; otherwise it wants a confirmation, or the card is of no use now. */
      needs: "confirmation" | "card" | null;
      retryAt: string | null;
      graceUntil: string;
      payUrl: string;
    }
  /** The provider could not be asked: the card is not the reason. */
  | {
      kind: "renewal-delayed";
      site: Site;
      amount: number;
      graceUntil: string;
      accountUrl: string;
    }
  /** The first full debit follows a trial. */
  | { kind: "trial-ending"; site: Site; amount: number; date: string; cancelUrl: string }
  /** `expiry`: last month of the card, as `2027-03`; `date`: of the debit that it cannot pay. */
  | {
      kind: "card-expiring";
      site: Site;
      amount: number;
      expiry: string;
      date: string;
      payUrl: string;
    }
  | { kind: "stop-confirmed"; site: Site; endsAt: string }
  | {
      kind: "subscription-ended";
      site: Site;
      endedAt: string;
      registerUrl: string;
      /** "not charged": the provider could not be asked in time. */
      cause: "stopped" | "unpaid" | "not charged" | "returned";
      /** When the profile is deleted; null: it stays. */
      deletedAt: string | null;
    }
  /** `refunded`: cents paid early for a period that does not begin any more. */
  | { kind: "account-deleted"; site: Site; date: string; refunded: number }
  | {
      kind: "cancellation-receipt";
      site: Site;
      notice: Notice;
      endsAt: string;
      undoUrl: string;
      undoUntil: string;
      /** Stopped on the day that was wished, in a period not paid yet. */
      isPlanned: boolean;
    }
  /** `endsAt`: of a contract that was stopped before; null: none was found. */
  | { kind: "cancellation-without-effect"; site: Site; notice: Notice; endsAt: string | null }
  /** `refunded`: cents that went back before; null: no contract was found. */
  | { kind: "withdrawal-without-effect"; site: Site; notice: Notice; refunded: number | null }
  /** `isStopped`: it is not renewed all the same, as something else stopped it. */
  | { kind: "cancellation-undone"; site: Site; date: string; isStopped: boolean }
  | { kind: "withdrawal-undone"; site: Site; date: string; isStopped: boolean }
  | { kind: "withdrawal-receipt"; site: Site; notice: Notice; refunded: number }
  /** Refunded once its link is used, or at the end of its time unless that undoes it. */
  | {
      kind: "withdrawal-to-confirm";
      site: Site;
      notice: Notice;
      confirmUrl: string;
      confirmUntil: string;
    }
  | { kind: "refund"; site: Site; amount: number; date: string }
  /** Of an account that is leaving: the link deletes it, so that its e-mail may register again. */
  | {
      kind: "address-release";
      site: Site;
      releaseUrl: string;
      validUntil: string;
      /** Access that would be lost; null: none. */
      openUntil: string | null;
    }
  /** The person's bank took a payment back: access is closed until it has decided. */
  | { kind: "payment-disputed"; site: Site; amount: number }
  /** What a payment paid for is open again. */
  | { kind: "access-returned"; site: Site; openUntil: string }
  | { kind: "password-reset"; site: Site; resetUrl: string; validUntil: string }
  /** `resetUrl`: for who did not change it. */
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
      /** An answer to the mail comes into the thread. */
      takesReplies: boolean;
      url: string;
    }
  /** `url`: where a new link is asked for, or the discussions. */
  | { kind: "attachment-refused"; site: Site; title: string; textArrived: boolean; url: string }
  | {
      kind: "reply-refused";
      site: Site;
      reason: "wrong sender" | "closed" | "not a message" | "too many" | "too big";
      /** Of the ticket; null: the sender is a stranger to it. */
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

/** A letter of one kind. */
export type LetterOf<Kind extends Letter["kind"]> = Extract<Letter, { kind: Kind }>;

/** `url` is empty where no address is vouched for: such a letter has no links. */
export type Site = Merchant & { title: string; url: string };

/** As somebody typed it, who may be anybody. */
export type Notice = {
  name: string;
  email: string;
  reference: string | null;
  receivedAt: string;
  /** The day from which the cancellation is wanted. */
  wishedDate?: string | null | undefined;
};
