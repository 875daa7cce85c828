import { createHmac } from "node:crypto";
import { isIPv6 } from "node:net";
import { deriveKeys } from "../ports/keys";

/** Where nobody told the address: one bucket for all of them. */
const UNKNOWN = "unknown";

/**
 * Who an address stands for. Of IPv6 a household is given up to a /56 (RFC 6177), which counts as one.
 */
export function subjectOf(address: string | null): string {
  if (address === null) return UNKNOWN;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return isIPv6(plain) ? networkOf(plain) : plain;
}

export type KeyedSubjects = ReturnType<typeof keyedSubjects>;

/**
 * Names for what is counted that tell nothing to who reads the database: hashes of several parts
 * under a key of the site. After a rotation of the secrets counts begin anew.
 */
export function keyedSubjects(secrets: readonly string[]) {
  const keys = deriveKeys(secrets, "limited subject");
  const all = (...parts: string[]) =>
    keys.map((key) => createHmac("sha256", key).update(JSON.stringify(parts)).digest("base64url"));
  return {
    /** Under the newest key. */
    of: (...parts: string[]): string => all(...parts)[0] ?? "",
    /** Under each key that may have been the newest once. */
    all,
  };
}

/** The first seven bytes of the sixteen, with `::` written out. */
function networkOf(address: string): string {
  const [before = "", after] = address.toLowerCase().split("::");
  const groups = before.split(":").filter(Boolean);
  const gap = after === undefined ? 0 : 8 - groups.length - after.split(":").filter(Boolean).length;
  const whole = [...groups, ...Array<string>(gap).fill("0"), ...(after?.split(":") ?? [])];
  const [a, b, c, d] = whole.map((group) => parseInt(group, 16));
  const network = [a, b, c, (d ?? 0) & 0xff00].map((group) => (group ?? 0).toString(16));
  return `${network.join(":")}::/56`;
}
