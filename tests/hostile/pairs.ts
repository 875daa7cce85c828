import fc from "fast-check";
import type { Pairs } from "./request";
import { CONTROL_NAMES } from "./values";

/** Encodes like the client: a list repeats its key, a map puts the inner key in brackets. */
export function pairsOf(value: unknown): Pairs {
  return Object.entries(value ?? {}).flatMap(([name, given]: [string, unknown]) => {
    if (Array.isArray(given)) return given.map((one) => [name, String(one)] as const);
    if (typeof given !== "object" || given === null) return [[name, String(given)] as const];
    return Object.entries(given).map(([key, one]) => [`${name}[${key}]`, String(one)] as const);
  });
}

type Change = { at: number; name?: string; value: string; twice: boolean };

/** Up to two faults for a list of pairs. */
export const pairChangesOf = (value: fc.Arbitrary<string>): fc.Arbitrary<Change[]> =>
  fc.array(
    fc.record(
      {
        at: fc.nat(20),
        name: fc.constantFrom(...CONTROL_NAMES),
        value,
        twice: fc.boolean(),
      },
      { requiredKeys: ["at", "value", "twice"] },
    ),
    { maxLength: 2, size: "xsmall" },
  );

/** Applies the faults. With a name, a pair is added. Without one, a pair gets the value or is repeated. */
export function changed(pairs: Pairs, list: readonly Change[]): Pairs {
  return list.reduce<Pairs>((all, { at, name, value, twice }) => {
    if (name !== undefined || all.length === 0) return [...all, [name ?? "a", value]];
    const index = at % all.length;
    const [own = ""] = all[index] ?? [];
    return twice ? [...all, [own, value]] : all.with(index, [own, value]);
  }, pairs);
}
