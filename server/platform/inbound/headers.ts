import type { AddressObject, HeaderLines } from "mailparser";

/** Values by name in lower case, unfolded, in the order of the mail. */
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

/** Those of groups too. */
export function addressesIn(...objects: (AddressObject | undefined)[]): string[] {
  return objects
    .flatMap((object) => object?.value ?? [])
    .flatMap((one) => [one, ...(one.group ?? [])])
    .flatMap(({ address }) => (address ? [address] : []));
}
