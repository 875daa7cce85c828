import { widerNetworkOf } from "../../app/contract/client-address";

const MIB = 1024 * 1024;

/** Bytes that may be held at the same time: for one address, for its network, and for all. */
const MAX_BYTES = { ofSubject: 8 * MIB, ofNetwork: 32 * MIB, ofAll: 128 * MIB };

export type HeldBytes = ReturnType<typeof heldBytes>;

/** Counts the bytes of large bodies that are in memory until their requests are answered. */
export function heldBytes(max = MAX_BYTES) {
  const held = new Map<string, number>();
  const holdersOf = (subject: string) => [
    { name: "all", max: max.ofAll },
    { name: `network ${widerNetworkOf(subject)}`, max: max.ofNetwork },
    { name: `subject ${subject}`, max: max.ofSubject },
  ];
  const heldBy = (name: string) => held.get(name) ?? 0;
  return {
    /**
     * Counts further bytes; false, and nothing is counted, when they would be too many.
     * @param subject the client, as its address counts (`subjectOf`)
     */
    take(subject: string, bytes: number): boolean {
      const holders = holdersOf(subject);
      if (holders.some(({ name, max }) => heldBy(name) + bytes > max)) return false;
      for (const { name } of holders) held.set(name, heldBy(name) + bytes);
      return true;
    },
    release(subject: string, bytes: number) {
      for (const { name } of holdersOf(subject)) {
        const left = heldBy(name) - bytes;
        if (left > 0) held.set(name, left);
        else held.delete(name);
      }
    },
  };
}
