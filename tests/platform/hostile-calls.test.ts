import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { JSON_LIMITS } from "~/contract/limits";
import { decodeQuery } from "../../server/platform/http/decode";
import { Refusal } from "../../server/platform/http/refusal";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";

const JSON_TYPE = { "content-type": "application/json" };

onEachDatabase("a call beyond the input limits", (open) => {
  const post = async (platform: TestPlatform, path: string, body: string) => {
    const request = new Request(`${ORIGIN}/api${path}`, {
      method: "POST",
      headers: JSON_TYPE,
      body,
    });
    const response = await platform.fetch(request);
    return { status: response.status, body: (await response.json()) as { message: string } };
  };

  const get = async (platform: TestPlatform, query: string) => {
    const response = await platform.fetch(new Request(`${ORIGIN}/api/content/articles?${query}`));
    return { status: response.status, body: (await response.json()) as Told };
  };
  type Told = { message: string; violations?: { property: string; message: string }[] };

  it("is refused for too many query keys", async () => {
    const platform = await open();
    const many = (count: number, name: (index: number) => string) =>
      Array.from({ length: count }, (_, index) => `${name(index)}=x`).join("&");
    for (const query of [
      many(100_000, (index) => `n${index}`),
      many(100_000, () => "tags"),
      many(100_000, (index) => `sort[n${index}]`),
      many(101, (index) => `n${index}`),
    ]) {
      const { status, body } = await get(platform, query);
      expect([status, body.message]).toEqual([400, expect.stringContaining("The query has")]);
    }
  });

  it("gets its first twenty violations", async () => {
    const platform = await open();
    const { body } = await platform.call("POST /registrations/register", {
      body: { identifier: "lea@exemple.fr", password: "un mot de passe", formula: "vip-mensuel" },
    });
    expect(body.payload.uid).toBeTruthy();
    const { body: auth } = await platform.call("POST /auth_check", {
      body: { identifier: "lea@exemple.fr", password: "un mot de passe" },
    });
    const answer = await platform.call(`PUT /users/${body.payload.uid}/metadata`, {
      token: auth.payload.token as string,
      body: { profile: { favorites: Array.from({ length: 1_900 }, () => "!") } },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toHaveLength(20);
    expect(answer.body.message).toContain("first 20");
    const large = await platform.call(`PUT /users/${body.payload.uid}/metadata`, {
      token: auth.payload.token as string,
      body: { text: "x".repeat(64 * 1024) },
    });
    expect([large.status, large.body.message]).toEqual([413, expect.stringContaining("65536")]);
  });

  it("gets a short answer about unknown names", async () => {
    const query = Array.from({ length: 99 }, (_, index) => `sort[${"n".repeat(90)}${index}]=x`);
    const { status, body } = await get(await open(), query.join("&"));
    expect([status, body.violations?.length]).toEqual([400, 1]);
    expect(JSON.stringify(body).length).toBeLessThan(1_000);
  });

  it.each<[string, number, string]>([
    ["100,000 lists within each other", 400, "[".repeat(100_000) + "]".repeat(100_000)],
    ["40,000 objects within each other", 400, '{"a":'.repeat(40_000) + "1" + "}".repeat(40_000)],
    ["one list too deep", 400, `{"a":${"[".repeat(32)}${"]".repeat(32)}}`],
    ["20,000 names", 413, `{${Array.from({ length: 20_000 }, (_, i) => `"${i}":1`).join()}}`],
    ["100,000 items", 413, `[${"1,".repeat(100_000)}1]`],
    ["lists that never end", 400, "[".repeat(250_000)],
    ["a text that never ends", 400, `{"a":"${"\\".repeat(250_001)}`],
    ["a prototype", 400, '{"identifier":"a","password":"b","__proto__":{"admin":true}}'],
    ["an escaped prototype", 400, '{"identifier":"a","password":"b","\\u005f_proto__":{}}'],
    ["a number that is too large", 400, '{"identifier":"a","password":"b","c":[1e999]}'],
    ["an inner prototype", 400, '{"identifier":"a","password":"b","c":[{"__proto__":1}]}'],
    ["a quarter of a megabyte and a byte", 413, JSON.stringify("x".repeat(JSON_LIMITS.bytes - 1))],
  ])("is refused for %s", async (_, status, body) => {
    const answer = await post(await open(), "/auth_check", body);
    expect(answer).toEqual({ status, body: { message: expect.any(String) as string } });
  });

  it("is accepted up to the limit of depth", async () => {
    const platform = await open();
    const deep = `{"identifier":"a","password":"b","c":${"[".repeat(31)}"]]{{,,\\"[[\\\\"${"]".repeat(31)}}`;
    expect((await post(platform, "/auth_check", deep)).status).toBe(401);
    const constructor = '{"identifier":"a","password":"b","constructor":{"prototype":{"a":1}}}';
    expect((await post(platform, "/auth_check", constructor)).status).toBe(401);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("with a zero byte in it is refused", async () => {
    const platform = await open();
    const zero = "a\0b";
    const notice = { name: "Ada", email: "ada@exemple.fr" };
    const calls: [string, object][] = [
      ["POST /auth_check", { identifier: zero, password: "secret" }],
      ["POST /auth_check", { identifier: "ada@exemple.fr", password: zero }],
      ["POST /reset-password/request", { identifier: zero }],
      ["POST /reset-password/update", { token: zero, password: "un mot de passe" }],
      ["POST /cancellations", { ...notice, name: zero }],
      ["POST /cancellations", { ...notice, reference: zero }],
      ["POST /withdrawals", { ...notice, name: zero }],
      ["POST /cancellations/undo", { token: zero }],
      ["POST /withdrawals/confirm", { token: zero }],
    ];
    for (const [line, body] of calls) {
      expect((await platform.call(line, { body })).status, line).toBe(400);
    }
    const queries = [
      "/redirects?path=%2Fa%00",
      "/content/medias?mimeType=%00",
      "/content/tags/%00",
    ];
    for (const path of queries) {
      expect((await platform.call(`GET ${path}`)).status, path).toBeLessThan(405);
    }
  });
});

describe("the query of a call", () => {
  it("is read up to its limits with any content", () => {
    const name = fc.oneof(
      fc.constantFrom("__proto__", "constructor", "a", "a[b]", "a[__proto__]", "__proto__[a]"),
      fc.constantFrom("[", "]", "a[", "a[]", "[a]", "a[b][c]", ""),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string())), (entries) => {
        const decoded = decodeQuery(new URLSearchParams(entries));
        expect(Object.getPrototypeOf(decoded)).toBe(Object.prototype);
        const names = new Set(
          entries.map(([key]) => /^([^[\]]+)\[[^[\]]+\]$/.exec(key)?.[1] ?? key),
        );
        expect(new Set(Object.keys(decoded))).toEqual(names);
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("of a megabyte is refused at once", () => {
    const unit = fc.constantFrom("a&", "&", "a[b]=", "[", "a=1&", "n0&", "%5B", "=");
    fc.assert(
      fc.property(fc.array(unit, { minLength: 1, maxLength: 4 }), (units) => {
        const text = units.join("");
        const search = new URLSearchParams(text.repeat(1_048_576 / text.length));
        try {
          decodeQuery(search);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          expect(error.status).toBe(400);
        }
      }),
      { numRuns: 30 },
    );
  });
});
