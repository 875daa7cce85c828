/**
 * Decides in which order calls that run at once are answered: none before all have come, each
 * only after the one before was read to its end.
 */
export class Turns {
  readonly #order: readonly string[];
  readonly #opened = new Map<string, () => void>();
  readonly #gates = new Map<string, Promise<void>>();
  #missing: number;

  constructor(order: readonly string[]) {
    this.#order = order;
    this.#missing = order.length;
    for (const name of order) {
      this.#gates.set(name, new Promise((resolve) => this.#opened.set(name, resolve)));
    }
  }

  /** A call has come; resolves when it may be answered. */
  async come(name: string) {
    this.#missing--;
    if (this.#missing === 0) this.#open(0);
    await this.#gates.get(name);
  }

  /** Its answer was read. */
  done(name: string) {
    this.#open(this.#order.indexOf(name) + 1);
  }

  #open(position: number) {
    this.#opened.get(this.#order[position] ?? "")?.();
  }
}
