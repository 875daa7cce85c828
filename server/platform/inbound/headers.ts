import type { AddressObject, HeaderLines } from "mailparser";

/** Unfolded header values in their order, by lower-case name. */
export type Headers = ReadonlyMap<string, readonly string[]>;

export function headersOf(lines: HeaderLines): Headers {
  const headers = new Map<string, string[]>();
  for (const { key, line } of lines) {
    const value = line
      .slice(line.indexOf(":") + 1)
      .replace(/\s+/g, " ")
      .trim();
    const values = headers.get(key);
    if (values) values.push(value);
    else headers.set(key, [value]);
  }
  return headers;
}

/** Lists the addresses, those in groups included. */
export function addressesIn(...objects: (AddressObject | undefined)[]): string[] {
  return objects
    .flatMap((object) => object?.value ?? [])
    .flatMap((one) => [one, ...(one.group ?? [])])
    .flatMap(({ address }) => (address ? [address] : []));
}
