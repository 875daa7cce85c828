import { BlockList, isIP } from "node:net";

const OURS = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
  ["169.254.0.0", 16],
] as const) {
  OURS.addSubnet(network, prefix, "ipv4");
}
OURS.addAddress("::1", "ipv6");
OURS.addSubnet("fc00::", 7, "ipv6");
OURS.addSubnet("fe80::", 10, "ipv6");

/**
 * Whose request it is. A peer of this machine or network is a proxy of ours: then it is the last
 * entry of `X-Forwarded-For`, which that proxy wrote; all before it are what the client claims. A
 * peer from outside is the visitor, whatever the header says: else anybody could have any address,
 * and limits by address would limit nobody.
 */
export function clientAddressOf(peer: string, forwardedFor: string | undefined): string {
  const address = plain(peer);
  const told = plain(forwardedFor?.split(",").pop() ?? "");
  return isOurs(address) && isIP(told) ? told : address;
}

/** An address of IPv4 inside one of IPv6 is the same; some proxies add the port. */
function plain(address: string): string {
  const [, bracketed] = /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address.trim()) ?? [];
  const [, withPort] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(address.trim()) ?? [];
  const whole = bracketed ?? withPort ?? address.trim();
  return whole.replace(/^::ffff:(?=\d+\.)/i, "");
}

function isOurs(address: string) {
  const version = isIP(address);
  return version !== 0 && OURS.check(address, version === 6 ? "ipv6" : "ipv4");
}
