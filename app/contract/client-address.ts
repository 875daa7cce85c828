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

/**
 * The network whose subjects share its turns. In IPv6 a site has up to a /48 (RFC 6177), often with one rented
 * server, which makes 256 subjects; in IPv4 a /24 is the smallest network that is routed.
 */
export function widerNetworkOf(subject: string): string {
  const [a, b, c] = subject.split(":");
  if (c !== undefined) return `${a}:${b}:${c}::/48`;
  return subject.replace(/^(\d+\.\d+\.\d+)\.\d+$/, "$1.0/24");
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
