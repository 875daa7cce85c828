/** A mail on its way. `answer` resolves when the server has taken it; `stop` gives the connection up. */
export type SentMail = { answer: Promise<void>; stop: AbortController };

/** `held`: least time in milliseconds that a mail without an answer keeps its connection, when others need one. */
export type HeldTimes = { held: number };

/** Mails that a server took and has not answered for keep their connection, up to this number. */
export const MAX_HELD = 16;

/** The mails whose answer is still awaited while others go on. */
export function createHeldMails(times: HeldTimes) {
  /** When each began to be held, the oldest first. */
  const held = new Map<AbortController, number>();
  return {
    /**
     * Keeps the connection of an unanswered mail.
     * @returns false while there are many, none of them for long. Otherwise the oldest one is given up for it.
     */
    hold({ answer, stop }: SentMail): boolean {
      const [oldest] = held;
      if (oldest && held.size >= MAX_HELD) {
        const [stopOldest, since] = oldest;
        if (performance.now() - since < times.held) return false;
        stopOldest.abort();
      }
      held.set(stop, performance.now());
      const release = () => void held.delete(stop);
      answer.then(release, release);
      return true;
    },
  };
}
