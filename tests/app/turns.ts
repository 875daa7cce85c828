/**
 * Sets the order in which parallel calls are answered. No call is answered before all have arrived,
 * and each one only after the previous answer was read completely.
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

  /** Reports a call. The promise resolves when the call may be answered. */
  async come(name: string) {
    this.#missing--;
    if (this.#missing === 0) this.#open(0);
    await this.#gates.get(name);
  }

  /** Reports that the call's answer was read. */
  done(name: string) {
    this.#open(this.#order.indexOf(name) + 1);
  }

  #open(position: number) {
    this.#opened.get(this.#order[position] ?? "")?.();
  }
}
