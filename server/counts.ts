/** One kind of event, counted by labels since the start of the process. Labels never name a person. */
function counter<Label extends string>() {
  const counts = new Map<string, { labels: Record<Label, string>; value: number }>();
  return {
    add(labels: Record<Label, string>) {
      const key = JSON.stringify(labels);
      const count = counts.get(key) ?? { labels, value: 0 };
      count.value++;
      counts.set(key, count);
    },
    all: () => [...counts.values()],
  };
}

/**
 * What happened in this process, for `/metrics` (docs/decisions/0061). Plain numbers: the platform counts whether or
 * not anybody reads them, and a command loads no library for it.
 */
export const counts = {
  /** Payments that were decided. `outcome`: of the bank, `no_card`, or `late` for one that was given up before. */
  payments: counter<"kind" | "outcome">(),
  /** Refunds that were decided or given up. */
  refunds: counter<"outcome">(),
  /** Mails that were sent or given up. */
  mails: counter<"outcome">(),
  /** Refusals by a limit, by the scope of its rule. */
  limits: counter<"rule">(),
};
