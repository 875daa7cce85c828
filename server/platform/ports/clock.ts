/** The only source of time: milliseconds since 1970, and the same as ISO text for the database. */
export type Clock = {
  now(): Date;
  /**
   * Takes up where the time was moved to from outside, one step at a time; true when it moved and
   * what is due has to be done before it is asked again.
   */
  catchUp?(): Promise<boolean>;
};

export const systemClock: Clock = { now: () => new Date() };

/** A clock that stands still until it is moved: for tests and simulations. */
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
