import { JobWaiting } from "../jobs/runner";
import type { Clock } from "../ports/clock";
import type { Log } from "../ports/log";
import {
  MailDropped,
  MailRefused,
  MailUnanswered,
  type OutgoingMail,
} from "../ports/mail-transport";
import { createPauses } from "./pauses";
import { createRefusals } from "./refusals";

/** After a pause, the time that mails wait whose domain has failed, so that another goes first. */
const YIELD_MS = 1_000;

/** Mails of one domain that the server has and does not answer for, before the others of that domain wait. */
const MAX_UNANSWERED = 4;
/** Time after which they are tried again, if there is an answer then. */
const UNANSWERED_MS = 30_000;

/**
 * What the answers to mails tell of the mail server, and which mails wait for it.
 *
 * A connection that is closed or hangs during one mail counts as a server failure only when it
 * does so during another: one bad mail must not block the others. So does a refusal (`refusals.ts`), and while
 * the server refuses, only mails wait that it has refused: each new one may be the one that it takes, however many
 * bad addresses somebody orders with. After any other pause, a mail goes first to a domain that has not failed since
 * the server took one: otherwise the oldest mails, which it may never take, would be tried again and again.
 */
export class ServerState {
  readonly #clock: Clock;
  readonly #refusals;
  readonly #pauses;
  #isRefusing = false;
  #droppedUid: string | null = null;
  readonly #failedDomains = new Set<string>();
  readonly #unanswered = new Map<string, number>();
  #taken = 0;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#refusals = createRefusals(clock);
    this.#pauses = createPauses({ clock, log });
  }

  /** Number of mails that the server has taken. */
  get taken(): number {
    return this.#taken;
  }

  /** Whether no mail is to be tried now. A server that refuses mails may take any other. */
  isPaused(): boolean {
    return !this.#isRefusing && this.#clock.now() < this.#pauses.pausedUntil();
  }

  isOutage(): boolean {
    return this.#pauses.isOutage();
  }

  /** @throws JobWaiting until the mail may be tried */
  refuseWhilePaused(mail: OutgoingMail) {
    if ((this.#unanswered.get(domainOf(mail)) ?? 0) >= MAX_UNANSWERED) {
      const until = new Date(this.#clock.now().getTime() + UNANSWERED_MS);
      throw new JobWaiting("The mail server has not confirmed other mails to this domain", until);
    }
    const until = this.#pausedUntil(mail);
    const isAllowed = this.#isRefusing && !this.#refusals.knows(mail);
    if (this.#clock.now() < until && !isAllowed) {
      throw new JobWaiting("The mail server failed just now", until);
    }
  }

  #pausedUntil(mail: OutgoingMail): Date {
    const until = this.#pauses.pausedUntil();
    const yields =
      !this.#isRefusing && this.#pauses.isOutage() && this.#failedDomains.has(domainOf(mail));
    return yields ? new Date(until.getTime() + YIELD_MS) : until;
  }

  noteTaken(mail: OutgoingMail) {
    if (this.#pauses.isOutage()) this.#refusals.noteEndOfOutage();
    this.#pauses.end();
    this.#refusals.noteAccepted(mail);
    this.#isRefusing = false;
    this.#droppedUid = null;
    this.#failedDomains.clear();
    this.#taken++;
  }

  /**
   * Notes what the failure of a mail tells of the server.
   * @param takenBefore `taken` when the mail was tried
   * @returns the error for the job of the mail
   */
  judge(mail: OutgoingMail, error: unknown, takenBefore: number): Error {
    if (error instanceof MailRefused) return this.#judgeRefusal(mail, error);
    if (error instanceof MailUnanswered) {
      return new MailUnanswered(this.#hearLate(mail, error.answer));
    }
    // The server took another one meanwhile.
    if (this.#taken > takenBefore) {
      return error instanceof MailDropped ? this.#counted(error) : new JobWaiting(String(error));
    }
    return this.#judgeFailure(mail, error);
  }

  #judgeRefusal(mail: OutgoingMail, error: MailRefused): Error {
    // One without a command was refused before the server was asked.
    if (error.refusal.command === undefined) return error;
    // It is retried for days anyway.
    if (!error.permanent) return new MailRefused(error.refusal, this.#pauses.countedFrom());
    const known = this.#refusals.note(mail, error);
    if (known && !this.#isRefusing) {
      return new MailRefused(error.refusal, known.since, known.wasInOutage);
    }
    this.#isRefusing = true;
    return this.#pauses.begin(error.message);
  }

  /** Anybody may own a domain whose mails the server never answers for: the next ones would take every lane. */
  #countUnanswered(domain: string, step: 1 | -1) {
    const count = (this.#unanswered.get(domain) ?? 0) + step;
    if (count > 0) this.#unanswered.set(domain, count);
    else this.#unanswered.delete(domain);
  }

  /** A late answer tells the same as one in time. */
  #hearLate(mail: OutgoingMail, answer: Promise<void>): Promise<void> {
    const domain = domainOf(mail);
    this.#failedDomains.add(domain);
    this.#countUnanswered(domain, 1);
    return answer.then(
      () => {
        this.#countUnanswered(domain, -1);
        this.noteTaken(mail);
      },
      (error: unknown) => {
        this.#countUnanswered(domain, -1);
        throw error instanceof MailRefused ? this.#judgeRefusal(mail, error) : error;
      },
    );
  }

  #judgeFailure(mail: OutgoingMail, error: unknown): Error {
    this.#failedDomains.add(domainOf(mail));
    const isAlive = error instanceof MailDropped;
    const isAlone = !this.#pauses.isOutage() && (this.#droppedUid ?? mail.uid) === mail.uid;
    if (isAlive && isAlone) {
      this.#droppedUid = mail.uid;
      return this.#counted(error);
    }
    // The pauses of refused mails are long, and concern those alone.
    if (this.#isRefusing) this.#pauses.shorten();
    this.#isRefusing = false;
    const reason = error instanceof Error ? error.message : String(error);
    const pace = error instanceof MailDropped ? error.pace : "usual";
    return this.#pauses.begin(reason, { isAlive, pace });
  }

  #counted = ({ pace }: MailDropped) => new MailDropped(this.#pauses.countedFrom(), pace);
}

/** Without what stands before it: whoever has a domain has all names below. */
const domainOf = ({ to }: OutgoingMail) =>
  to
    .slice(to.lastIndexOf("@") + 1)
    .toLowerCase()
    .split(".")
    .slice(-2)
    .join(".");
