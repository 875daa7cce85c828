/** The only source of time. */
export type Clock = {
  now(): Date;
  /**
   * Moves one step towards the time that was set from outside. Returns true when it moved: due jobs
   * must run before the next step.
   */
  catchUp?(): Promise<boolean>;
};

export const systemClock: Clock = { now: () => new Date() };

/** A clock that moves only by `advance`, for tests and simulations. */
export class FakeClock implements Clock {
  #now: number;

  constructor(start = "2026-11-20T10:00:00.000Z") {
    this.#now = Date.parse(start);
  }

  now() {
    return new Date(this.#now);
  }

  advance(milliseconds: number) {
    this.#now += milliseconds;
  }
}
