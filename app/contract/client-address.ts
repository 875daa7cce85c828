/** Requests without an address share one limit. */
const UNKNOWN = "unknown";

/**
 * The subject that limits count for an address. In IPv6 a household has up to a /56 (RFC 6177),
 * which counts as one.
 */
export function subjectOf(address: string | null): string {
  if (address === null) return UNKNOWN;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "");
  return plain.includes(":") ? networkOf(plain) : plain;
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
