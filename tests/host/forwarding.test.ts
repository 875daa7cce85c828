import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { readConfig } from "../../app/config.server";
import { originResolver, type ForwardedHeaders } from "../../server/host/forwarding";
import { openHost, send, type TestHost } from "../support/host";

const believe = (setting: string | undefined, claimed: ForwardedHeaders) =>
  originResolver(
    readConfig(setting === undefined ? {} : { TRUSTED_PROXIES: setting }).trustedProxies,
  )(claimed);

describe("the visitor's address", () => {
  it.each([
    ["203.0.113.9", undefined, "203.0.113.9"],
    ["::ffff:203.0.113.9", undefined, "203.0.113.9"],
    ["2001:db8::1", undefined, "2001:db8::1"],
    ["fe80::1%eth0", undefined, "fe80::1"],
    ["", undefined, ""],
    ["203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["10.0.0.2", "198.51.100.1", "10.0.0.2"],
    ["fd00::2", "198.51.100.1", "fd00::2"],
    ["127.0.0.1", "unknown", "127.0.0.1"],
    ["127.0.0.1", "", "127.0.0.1"],
    ["127.0.0.1", "198.51.100.1, _hidden", "127.0.0.1"],
  ])("is the peer %s despite the header «%s»", (peer, header, address) => {
    expect(believe(undefined, { peer, for: header }).clientAddress).toBe(address);
  });

  it.each([
    ["127.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["127.8.0.1", "203.0.113.9", "203.0.113.9"],
    ["::1", " 203.0.113.9 ", "203.0.113.9"],
    ["::ffff:127.0.0.1", "203.0.113.9:51234", "203.0.113.9"],
    ["127.0.0.1", "[2001:db8::7]:443", "2001:db8::7"],
    ["127.0.0.1", "203.0.113.9, 127.0.0.1", "203.0.113.9"],
  ])("behind %s on this machine is found in «%s»", (peer, header, address) => {
    expect(believe(undefined, { peer, for: header }).clientAddress).toBe(address);
  });

  it("is the last one before the listed proxies", () => {
    const setting = "10.0.0.0/8, 192.0.2.1, 2001:db8:5::/48";
    const header = "198.51.100.66, 203.0.113.9, 2001:db8:5::9, 192.0.2.1";
    expect(believe(setting, { peer: "::ffff:10.9.9.9", for: header })).toMatchObject({
      clientAddress: "203.0.113.9",
      proxies: 3,
    });
    expect(believe(setting, { peer: "127.0.0.1", for: header })).toMatchObject({
      clientAddress: "127.0.0.1",
      proxies: 0,
    });
  });

  it("stands before the configured number of proxies", () => {
    const told = { peer: "198.51.100.1", for: "198.51.100.66, 203.0.113.9, 192.0.2.1" };
    const found = ["0", "1", "2"].map((count) => believe(count, told).clientAddress);
    expect(found).toEqual(["198.51.100.1", "192.0.2.1", "203.0.113.9"]);
    const short = { peer: "198.51.100.1", for: "203.0.113.9" };
    expect(believe("3", short).clientAddress).toBe("203.0.113.9");
  });
});

describe("scheme and host", () => {
  const told = { peer: "127.0.0.1", for: "203.0.113.9" };

  it.each([
    ["https", "https"],
    ["HTTPS", "https"],
    ["http, https", "https"],
    ["https, http", "http"],
    ["ftp", null],
    ["", null],
    ["https ", "https"],
  ])("reported as «%s» have the scheme %s", (proto, scheme) => {
    expect(believe(undefined, { ...told, proto }).scheme).toBe(scheme);
  });

  it.each([
    ["cap.example", "cap.example"],
    ["evil.example, cap.example:8443", "cap.example:8443"],
    ["[2001:db8::1]:8443", "[2001:db8::1]:8443"],
    ["cap.example/path", null],
    ["user@cap.example", null],
    ["cap.example:99999", null],
    ["a b", null],
    ["", null],
  ])("reported as «%s» have the host %s", (host, believed) => {
    expect(believe(undefined, { ...told, host }).host).toBe(believed);
  });

  it("are those that the outermost trusted proxy reports", () => {
    const chain = { peer: "127.0.0.1", for: "203.0.113.9, 127.0.0.2" };
    const both = { proto: "http, https, http", host: "evil.example, cap.example, inner" };
    expect(believe(undefined, { ...chain, ...both })).toMatchObject({
      scheme: "https",
      host: "cap.example",
    });
  });
});

const address = fc.oneof(fc.ipV4(), fc.ipV6());
const isOfMachine = (text: string) => /^127\.|^::1$|^(?:0*:)+0*1$|^::ffff:127/i.test(text);
/** Nor of the network that a test names as its proxies. */
const stranger = address.filter(
  (text) => !isOfMachine(text) && !/^[:0.]+1?$/.test(text) && !/^(?:.*:)?10\./.test(text),
);
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdef.:,[] %/") }),
  address,
);
const header = fc.option(
  fc.array(text, { maxLength: 6 }).map((parts) => parts.join(", ")),
  { nil: undefined },
);

describe("with forged forwarding headers", () => {
  it("an untrusted peer keeps its own address", () => {
    fc.assert(
      fc.property(stranger, header, header, header, (peer, list, proto, host) => {
        const alone = believe(undefined, { peer });
        expect(believe(undefined, { peer, for: list, proto, host })).toEqual(alone);
        expect(alone).toMatchObject({ scheme: null, host: null, proxies: 0 });
      }),
    );
  });

  it("a client behind a proxy chooses no address, scheme or host", () => {
    const own = { proto: "https", host: "cap.example" };
    fc.assert(
      fc.property(stranger, header, header, header, (client, list, proto, host) => {
        // The proxy adds at the end what it saw.
        const add = (made: string | undefined, seen: string) =>
          made === undefined ? seen : `${made}, ${seen}`;
        const told = {
          for: add(list, client),
          proto: add(proto, own.proto),
          host: add(host, own.host),
        };
        const honest = { for: client, ...own };
        for (const [setting, peer] of [
          [undefined, "127.0.0.1"],
          ["10.0.0.0/8", "10.1.2.3"],
          ["1", "198.51.100.1"],
        ] as const) {
          expect(believe(setting, { peer, ...told })).toEqual(
            believe(setting, { peer, ...honest }),
          );
        }
      }),
    );
  });
});

let host: TestHost;
afterEach(() => host?.server.close());

const shown = (request: Request) => {
  const { url, headers } = request;
  const names = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];
  const left = names.filter((name) => headers.has(name));
  return Response.json({ url, host: headers.get("host"), left });
};

const FORWARDED = {
  "x-forwarded-for": "203.0.113.9",
  "x-forwarded-proto": "https",
  "x-forwarded-host": "cap.example",
};

const ask = async (headers: Record<string, string> = FORWARDED) =>
  JSON.parse((await send(host, "/a?b=c", { headers })).body.toString());

describe("the host", () => {
  it("gives pages the URL that the visitor used", async () => {
    host = await openHost({ pages: shown });
    expect(await ask()).toEqual({
      url: "https://cap.example/a?b=c",
      host: "cap.example",
      left: [],
    });
    expect(await ask({ host: "cap.example:80", "x-forwarded-proto": "https" })).toMatchObject({
      url: "https://cap.example/a?b=c",
      host: "cap.example",
    });
    expect(await ask({ host: "cap.example" })).toMatchObject({ url: "http://cap.example/a?b=c" });
  });

  it("passes the body of a forwarded post on", async () => {
    host = await openHost({ pages: async (request) => new Response(await request.text()) });
    const post = { method: "POST", headers: FORWARDED, body: ["a=b", "&c=d"] };
    expect((await send(host, "/", post)).body.toString()).toBe("a=b&c=d");
  });

  it("uses the scheme of SITE_URL without a proxy header", async () => {
    host = await openHost({ pages: shown, env: { SITE_URL: "https://cap.example" } });
    expect(await ask({ host: "cap.example" })).toMatchObject({ url: "https://cap.example/a?b=c" });
    const plain = { host: "cap.example", "x-forwarded-proto": "http" };
    expect(await ask(plain)).toMatchObject({ url: "http://cap.example/a?b=c" });
  });

  it("ignores headers of unnamed peers and warns once", async () => {
    host = await openHost({ pages: shown, env: { TRUSTED_PROXIES: "192.0.2.1" } });
    for (let time = 0; time < 3; time++) {
      expect(await ask({ ...FORWARDED, host: "site.test" })).toEqual({
        url: "http://site.test/a?b=c",
        host: "site.test",
        left: [],
      });
    }
    const warnings = host.log.filter((line) => line.includes("TRUSTED_PROXIES"));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/"level":"warn".*"peer":"127\.0\.0\.1"/);
    const clients = host.log.filter((line) => line.includes('"client":"127.0.0.1"'));
    expect(clients).toHaveLength(3);
  });

  it("logs the visitor behind a trusted proxy without warning", async () => {
    host = await openHost({ pages: shown });
    await ask();
    expect(host.log.join("")).toContain('"client":"203.0.113.9"');
    expect(host.log.join("")).not.toContain("TRUSTED_PROXIES");
  });
});

describe("TRUSTED_PROXIES", () => {
  const read = (TRUSTED_PROXIES: string) => readConfig({ TRUSTED_PROXIES }).trustedProxies;

  it("is a list of addresses and networks, or a count", () => {
    expect(read("10.0.0.0/8, ::1 ,192.0.2.1")).toEqual(["10.0.0.0/8", "::1", "192.0.2.1"]);
    expect([read("0"), read("2")]).toEqual([0, 2]);
    expect(readConfig({}).trustedProxies).toEqual(["127.0.0.0/8", "::1"]);
  });

  it.each(["11", "-1", "nginx", "10.0.0.0/33", "10.0.0.0/8/8", "::1/129", "1,2", "10.0.0.1,"])(
    "is refused as «%s»",
    (text) => {
      expect(() => read(text)).toThrow("TRUSTED_PROXIES is not valid: give addresses");
    },
  );
});
