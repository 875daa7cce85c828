import type { TermsAcceptance } from "../../../app/contract/subscriptions";
import type { Merchant } from "../database/context";

/**
 * The cents that a withdrawal refunds, without earlier refunds. `owed`: the cents whose refund was given up;
 * `isUndecided`: not refused. `elsewhere`: the cents that came back by another way than the card. `isFree`: nothing was charged at all. `undecidedDebit`: what is refunded as well if it succeeds.
 */
export type Refunded = Undecided & {
  amount: number;
  owed: number;
  isUndecided: boolean;
  elsewhere: number;
  isFree: boolean;
};

/** Cents of a debit that the bank was asked for and has not decided on: it may still succeed. Null without one. */
type Undecided = { undecidedDebit: number | null };

/** `isUnannounced`: the running period was renewed without its notice in time, so that it may be ended at once (L215-1). */
type StopFacts = Undecided & { isUnannounced: boolean };

/**
 * What the platform writes to people: each kind with the facts its text needs. Dates are ISO texts,
 * amounts cents, links absolute addresses of the site.
 */
export type Letter =
  /**
   * The confirmation of the contract on a durable medium (L221-13). `credit`: the cashback with its
   * conditions; null without one.
   */
  | {
      kind: "welcome";
      site: Site;
      offer: string;
      credit: string | null;
      reference: string;
      accountUrl: string;
      /** When the right of withdrawal is over: the start of a day, the last one that counts is before. */
      withdrawableUntil: string;
      /** The terms of the contract; null for an order older than recorded versions. */
      terms: TermsText | null;
      /** How they were accepted; null where nothing tells. */
      acceptance: Pick<TermsAcceptance, "by" | "dateTime"> | null;
    }
  /**
   * `appliesAt`: when the new version counts for this contract. Null: counted from the sending of the mail,
   * and filled in then.
   */
  | {
      kind: "terms-changed";
      site: Site;
      appliesAt: string | null;
      termsUrl: string;
      terms: TermsText;
      /** An earlier announcement that is of no effect any more; null without one. */
      replaces: { toldAt: string; hasOtherText: boolean } | null;
    }
  /** A change that was announced is off: the version of the contract stays. */
  | { kind: "terms-kept"; site: Site; termsUrl: string }
  | {
      kind: "receipt";
      site: Site;
      /** Name of the formula. */
      service: string;
      /** Reference of the contract. */
      reference: string;
      /** Name that was given with the card; null where only the bank's page knew it. */
      client: string | null;
      amount: number;
      date: string;
      periodEnd: string;
      cardHint: string | null;
      /** Null when no debit follows by itself. */
      nextDebit: { date: string; amount: number } | null;
      /** It renewed a long period without the notice of it: its person may end the contract and get the rest back. */
      isUnannounced: boolean;
      /** When a cancellation for a later day ends the contract; null without one. */
      plannedEnd: string | null;
      cancelUrl: string;
    }
  | {
      kind: "renewal-notice";
      site: Site;
      amount: number;
      date: string;
      /** The term that ends is a trial, not a period. */
      isTrial: boolean;
      cancelUrl: string;
    }
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
      /** When a planned cancellation stops the contract before the grace ends; null without one. */
      stopsAt: string | null;
      /** Access ends soon, and the person was told before. */
      isReminder: boolean;
      graceUntil: string;
      payUrl: string;
    }
  /**
   * A payment by the person that the bank kept undecided, so that no page could tell them. `payUrl`: null where
   * nothing is left to pay, as their contract is stopped or over.
   */
  | { kind: "payment-refused"; site: Site; amount: number; payUrl: string | null }
  /** The card is not the reason. `isAsked`: the bank decides; otherwise the provider could not be asked. */
  | {
      kind: "renewal-delayed";
      site: Site;
      isAsked: boolean;
      amount: number;
      graceUntil: string;
      accountUrl: string;
    }
  /** The first full debit follows a trial. */
  | {
      kind: "trial-ending";
      site: Site;
      amount: number;
      date: string;
      /** When a cancellation for a later day ends the contract; null without one. */
      plannedEnd: string | null;
      cancelUrl: string;
    }
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
  | (StopFacts & {
      kind: "stop-confirmed";
      site: Site;
      receivedAt: string;
      endsAt: string;
      /** Access was closed at `endsAt`, as the payment of the period went back or is disputed. */
      isOnHold: boolean;
      /** Its person wrote to end it while it was on hold, as it was renewed without its notice: access does not return. */
      isWrittenEnd?: boolean;
      /** The contract whose end was written, where its person goes on with another one: the profile is not deleted. */
      besideOther?: ContractName | null;
      credit: StoppedCredit | null;
      /** The contract can be withdrawn from before this moment, and everything paid goes back. */
      withdrawableUntil?: string | null;
      /** A withdrawal is open, which may end the access before. */
      isWithdrawing?: boolean;
    })
  /** The day of a planned cancellation has come. Whoever declared it: anybody can. */
  | (StopFacts & {
      kind: "planned-stop";
      site: Site;
      reference: string;
      receivedAt: string;
      /** The day that it named. */
      plannedFor: string;
      endsAt: string;
      /** As in `stop-confirmed`. */
      isOnHold: boolean;
      /** Until when the link of its receipt undoes it; null when it does no longer. */
      undoUntil: string | null;
      subscriptionUrl: string;
      credit: StoppedCredit | null;
    })
  | (Undecided & {
      kind: "subscription-ended";
      site: Site;
      endedAt: string;
      registerUrl: string;
      /** "undecided": the bank has not decided in time; "not charged": the provider could not be asked in time. */
      cause: "stopped" | "withdrawn" | "unpaid" | "undecided" | "not charged" | "returned";
      /** When the profile is deleted; null when it stays, or is kept first. */
      deletedAt: string | null;
      lostCredit: number | null;
      /** Cents of the running period that are given back: its person wrote to end it, as it was renewed without its notice. */
      rest: number;
      /** Cents of periods that are given back as a whole: they were renewed after that was written. */
      renewed: number;
      /** What is open, so that the profile is deleted later; null when nothing is. */
      keptFor: "refund" | "dispute" | "payment" | "withdrawal" | "cancellation" | null;
      /** When the cancellation was received that ended it, or written by a letter; null for another cause. */
      receivedAt: string | null;
      stoppedBy: "cancellation" | "withdrawal";
      /** The contract goes on if the money that went back returns before; null where it cannot. */
      holdUntil: string | null;
      /** The right to withdraw outlives a stop and the profile (L221-18); null when there is none. */
      withdrawableUntil: string | null;
    })
  /**
   * `refunded`: cents that were paid for a period that will not begin. `rest`: cents of the running period that are
   * given back, as it was renewed without its notice. `withdrawableUntil`: the right to
   * withdraw from the contract outlives the account (L221-18); null when there is none. `lostCredit`:
   * cents of a credit that the end of the contract voids; null without one.
   */
  | {
      kind: "account-deleted";
      site: Site;
      date: string;
      refunded: number;
      rest: number;
      lostCredit: number | null;
      withdrawableUntil: string | null;
      /** The bank still decides on a payment. */
      isPaying: boolean;
      /** A withdrawal that was declared without sign-in and is refunded then; null without one. */
      pendingWithdrawal: { receivedAt: string; refundAt: string } | null;
    }
  /** A month before an account that nobody uses is deleted. */
  | {
      kind: "account-idle";
      site: Site;
      lastUsedAt: string;
      deletedAt: string;
      accountUrl: string;
    }
  | (StopFacts & {
      kind: "cancellation-receipt";
      site: Site;
      notice: Notice;
      endsAt: string;
      undoUrl: string;
      /** Null: counted from the sending of the mail, and filled in then. */
      undoUntil: string | null;
      /** True when the contract stops on the wished day, in a period that is not paid yet. */
      isPlanned: boolean;
      /** True when the contract may end before that day: its renewal is unpaid, or no card can be charged. */
      isUnpaid: boolean;
      /** True when another declaration stops the contract already, and goes on doing so. */
      isStopped: boolean;
      /** True when another declaration plans an earlier end, at `endsAt`. */
      endsSooner?: boolean;
      /** The end of the contract by this declaration alone. */
      plannedEnd: string;
      /** True when the contract was over before; it could have gone on. */
      isOver: boolean;
      /** True when the link outlives the paid period: undoing then begins the next one, and charges it. */
      isUndoableAfterEnd: boolean;
      /** As in `stop-confirmed`. */
      withdrawableUntil: string | null;
      credit: StoppedCredit | null;
      /** Whole periods that are still debited until the end that it plans; null where nobody knows. */
      debitsAhead: { count: number; amount: number } | null;
    })
  /** Other open declarations do what this one does. `endsAt`: end of access; null while it goes on. */
  | (StopFacts & {
      kind: "notice-covered";
      site: Site;
      declared: NamedNotice["kind"];
      notice: Notice;
      endsAt: string | null;
      /** As in `stop-confirmed`. Null for a withdrawal. */
      withdrawableUntil: string | null;
    })
  /** For an address that a notice names and that is not the contract's: only what was typed. */
  | { kind: "cancellation-noted"; site: Site; notice: Notice }
  | { kind: "withdrawal-noted"; site: Site; notice: Notice }
  /**
   * `endsAt`: end of a contract that was stopped before; null when no contract was found.
   * `isOrderUndecided`: the bank still decides on an order, whose contract it will not stop.
   */
  | (StopFacts & {
      kind: "cancellation-without-effect";
      site: Site;
      notice: Notice;
      endsAt: string | null;
      /** As in `stop-confirmed`. */
      withdrawableUntil: string | null;
      isOrderUndecided?: true;
    })
  /**
   * `refunded`: what was refunded before; null when the contract was not withdrawn from. `late`: the state
   * of a contract whose right to withdraw was over; null when no contract was found. `open`: the withdrawal of
   * that contract that stays in effect.
   */
  | {
      kind: "withdrawal-without-effect";
      site: Site;
      notice: Notice;
      refunded: Refunded | null;
      late: LateWithdrawal | null;
      open?: OpenWithdrawal;
      isOrderUndecided?: true;
    }
  /**
   * `debit`: null where it is not renewed all the same, as something else stopped it. `plannedEnd`: when
   * it ends by another declaration. `isOver`: the contract was over before.
   */
  | (UndoneFacts & { kind: "cancellation-undone" })
  | (UndoneFacts & { kind: "withdrawal-undone" })
  /** `settled`: the other withdrawals that this one settles. */
  | {
      kind: "withdrawal-receipt";
      site: Site;
      notice: Notice;
      settled: NamedNotices;
      refunded: Refunded;
      credit: WithdrawnCredit | null;
    }
  /** The refund follows when the link is used, or at `confirmUntil` unless it was undone. */
  | (Undecided & {
      kind: "withdrawal-to-confirm";
      site: Site;
      notice: Notice;
      confirmUrl: string;
      /** Null: counted from the sending of the mail, and filled in then. */
      confirmUntil: string | null;
      /** True when another declaration stops the contract already, and goes on doing so. */
      isStopped: boolean;
      /** True when the contract was over before. */
      isOver: boolean;
      credit: WithdrawnCredit | null;
    })
  | (CreditFacts & { kind: "credit-due"; dueAt: string })
  /** `paidOn`: a day. */
  | (CreditFacts & { kind: "credit-paid"; paidOn: string })
  /** One that was due and has not been paid. */
  | (CreditFacts & {
      kind: "credit-void";
      /** "returned": the next debit of a whole period makes it due again; after a stop there is none. */
      reason: "withdrawn" | "refunded" | "disputed" | "returned" | "returned after a stop";
    })
  | (RefundedPayment & { kind: "refund"; amount: number; date: string })
  /** A refund is not made, and no further attempt is. `isUndecided`: it was not refused either. */
  | (RefundedPayment & {
      kind: "refund-failed";
      amount: number;
      isUndecided: boolean;
      contactUrl: string;
    })
  /** What a refund could not give back was paid by another way. `paidOn`: a day. */
  | (RefundedPayment & {
      kind: "repaid";
      amount: number;
      paidOn: string;
      reference: string | null;
    })
  /** The link deletes a leaving account, so that its e-mail can register again. */
  | {
      kind: "address-release";
      site: Site;
      releaseUrl: string;
      validUntil: string;
      /** End of the access that would be lost; null when there is none. */
      openUntil: string | null;
      /** What stopped the contract was declared without sign-in, and its owner may still undo it. */
      hasUnsignedNotice: boolean;
    }
  /** The person's bank took a payment back; access is closed until the bank decides. */
  | { kind: "payment-disputed"; site: Site; amount: number }
  /**
   * Access is open again: the money of its period came back, as after a dispute that was won, or its refund was
   * given up (`isRefundGivenUp`). `debit`: the next one; `plannedEnd`: that of the contract by a notice.
   */
  | {
      kind: "access-returned";
      site: Site;
      openUntil: string;
      isRefundGivenUp: boolean;
      debit: Debit | null;
      plannedEnd: string | null;
    }
  | { kind: "password-reset"; site: Site; resetUrl: string; validUntil: string }
  /** `resetUrl`: for an owner who did not make this change. */
  /** `isFirst`: the account had none, as that of a coach who was invited. */
  | { kind: "password-changed"; site: Site; date: string; resetUrl: string; isFirst: boolean }
  /**
   * `isFormer`: to the mailbox that the account had before, or its contract once it is erased (`isOfContract`).
   * `earlier`: mails about the contract to it.
   */
  | {
      kind: "email-changed";
      site: Site;
      date: string;
      isFormer: boolean;
      isOfContract: boolean;
      earlier: readonly EarlierMail[];
      url: string;
    }
  /** To the e-mail that the owner of an account asked for. */
  | { kind: "email-change"; site: Site; confirmUrl: string; validUntil: string }
  /** To an e-mail that was asked for and has an account. `resetUrl`: for an owner who forgot it. */
  | { kind: "email-taken"; site: Site; date: string; resetUrl: string }
  /** To the mailbox of the account. `resetUrl`: another password voids the request. */
  | { kind: "email-change-asked"; site: Site; date: string; resetUrl: string }
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
      /** Whether the person's subscription is over: the site shows them the discussion no more. */
      isShut: boolean;
      /** Set when the answer closed the thread. `newThreadUrl`: the page to open another one. */
      closed: { isLocked: boolean; isContact: boolean; newThreadUrl: string } | null;
      url: string;
    }
  /** `url`: the page to request a new link, or the discussions. */
  | { kind: "attachment-refused"; site: Site; title: string; textArrived: boolean; url: string }
  | {
      kind: "reply-refused";
      site: Site;
      reason:
        "wrong sender" | "closed" | "not subscribed" | "not a message" | "too many" | "too big";
      /** Title of the ticket; null when the sender is not its person. */
      title: string | null;
      /** Of a contact request; a discussion has words of its own. */
      isRequest: boolean;
      url: string;
    }
  | {
      kind: "coach-invited";
      site: Site;
      name: string;
      /** Whether the account, which may be older than the invitation, had a password. */
      hadPassword: boolean;
      /** Sets the password; null: the one that it had is still good. */
      passwordUrl: string | null;
      deskUrl: string;
    };

/** `isLost`: the stop prevents the debit on which the credit depends; otherwise it changes nothing. */
export type StoppedCredit = { amount: number; isLost: boolean };

/** The credit of a contract that is withdrawn from. `isPaid`: its debtor may claim it back; otherwise it is not owed. */
export type WithdrawnCredit = { amount: number; isPaid: boolean };

/** `paidAt`: when the payment was made. `contract`: null for one that opened no contract. */
export type RefundedPayment = { site: Site; paidAt: string; contract: ContractName | null };

/** How a letter names a contract: its reference, and when it was ordered. */
export type ContractName = { reference: string; orderedAt: string };

/** `isFormer`: the profile is deleted; the address is the one that the proof of the contract keeps. */
export type CreditFacts = {
  site: Site;
  amount: number;
  debtor: string;
  way: string;
  reference: string;
  isFormer: boolean;
  url: string;
};

/**
 * The next debit. `now`: at once, and again on `date`, null where the contract ends before; `later`: on `date`; `by hand`: the card is not
 * charged, and the person can pay on a page until `date`; `undecided`: the bank decides on it.
 */
export type Debit =
  | { when: "now"; amount: number; date: string | null }
  | { when: "later" | "by hand"; amount: number; date: string }
  | { when: "undecided"; amount: number };

/** A version of the terms in full. */
export type TermsText = { title: string; html: string };
/**
 * A contract that a withdrawal found after its deadline, which is the start of a day. `endsAt`: the end of
 * access where it is stopped or over; `debit`: the next one where it goes on.
 */
export type LateWithdrawal = Undecided & {
  deadline: string;
  debit: Debit | null;
  endsAt: string | null;
  isOver: boolean;
  /** Until when the money of a contract on hold may return, and the contract continue with it. */
  holdUntil: string | null;
};

/** A withdrawal that was declared in time, and is refunded then unless it is undone. */
export type OpenWithdrawal = Undecided & { receivedAt: string; refundAt: string };

/** `sentAt`: null for one that could not be delivered. */
export type EarlierMail = { subject: string; text: string; sentAt: string | null };

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
  /** The day of a declaration that came by post or e-mail; its receipt is then when it was entered. */
  postedOn?: string | null | undefined;
  /** The contract that it concerns. `hasOthers`: its e-mail has more that could be declared. */
  contract?: (ContractName & { hasOthers: boolean; isWithdrawing?: boolean }) | null | undefined;
};

/** A notice among others. `wishedDate`: the day from which a cancellation is wanted. */
export type NamedNotice =
  | { kind: "cancellation"; receivedAt: string; wishedDate: string | null }
  | { kind: "withdrawal"; receivedAt: string };

/** The oldest notices one by one, and how many further ones there are. */
export type NamedNotices = { named: readonly NamedNotice[]; further: number };

type UndoneFacts = Undecided & {
  site: Site;
  date: string;
  undone: NamedNotices;
  contract: ContractName;
  debit: Debit | null;
  plannedEnd: string | null;
  /** The credit that is awaited again. */
  creditAmount: number | null;
  isOver: boolean;
  /** As in `stop-confirmed`. */
  withdrawableUntil: string | null;
  /**
   * Set for a contract whose payment was given back or is disputed: it continues if the money returns before
   * `until`, and is then renewed for `renewal`; null where another declaration prevents that.
   */
  onHold: { until: string; renewal: number | null } | null;
};
