import { describe, expect, it } from "vitest";
import { clientAddressOf } from "../../server/host/client-address";

describe("the visitor's address", () => {
  it.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["2001:db8::1", undefined, "2001:db8::1"],
    ["", undefined, ""],
  ])("is the peer %s without a proxy", (peer, forwarded, address) => {
    expect(clientAddressOf(peer, forwarded)).toBe(address);
  });

  it.each([
    ["127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["::1", "203.0.113.9", "203.0.113.9"],
    ["::ffff:10.0.0.2", " 203.0.113.9 ", "203.0.113.9"],
    ["172.20.0.3", "203.0.113.9:51234", "203.0.113.9"],
    ["192.168.1.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["fd00::2", "2001:db8::7", "2001:db8::7"],
  ])("behind the proxy %s is the last of «%s»", (peer, forwarded, address) => {
    expect(clientAddressOf(peer, forwarded)).toBe(address);
  });

  it.each([
    ["203.0.113.9", "198.51.100.1"],
    ["172.32.0.1", "198.51.100.1"],
    ["127.0.0.1", "unknown"],
    ["127.0.0.1", ""],
  ])("of peer %s is not taken from «%s»", (peer, forwarded) => {
    expect(clientAddressOf(peer, forwarded)).toBe(peer);
  });
});
