import { widerNetworkOf } from "../../app/contract/client-address";

/** How much may be held at the same time: by one address, by its network, and by all. */
export type ShareLimits = { ofSubject: number; ofNetwork: number; ofAll: number };

/** Counts what addresses hold of something that is limited, such as memory. */
export function shares(max: ShareLimits) {
  const held = new Map<string, number>();
  const holdersOf = (subject: string) => [
    { name: "all", max: max.ofAll },
    { name: `network ${widerNetworkOf(subject)}`, max: max.ofNetwork },
    { name: `subject ${subject}`, max: max.ofSubject },
  ];
  const heldBy = (name: string) => held.get(name) ?? 0;
  return {
    /**
     * Counts a further amount; false, and nothing is counted, when it would be too much.
     * @param subject the client, as its address counts (`subjectOf`)
     */
    take(subject: string, amount: number): boolean {
      const holders = holdersOf(subject);
      if (holders.some(({ name, max }) => heldBy(name) + amount > max)) return false;
      for (const { name } of holders) held.set(name, heldBy(name) + amount);
      return true;
    },
    release(subject: string, amount: number) {
      for (const { name } of holdersOf(subject)) {
        const left = heldBy(name) - amount;
        if (left > 0) held.set(name, left);
        else held.delete(name);
      }
    },
  };
}
