import { expect, test } from "vitest";
import { onEachDatabase } from "../support/platform";

const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const dated = "articles date.desc uid.desc";

onEachDatabase("hostile content calls", (open) => {
  test("with faulty filters answer the faulty property", async () => {
    const { call } = await open();
    for (const [query, property] of [
      ["length=-1", "length"],
      ["length=0", "length"],
      ["length=101", "length"],
      ["length=1e9", "length"],
      ["length=1&length=2", "length"],
      ["length=ten", "length"],
      ["sort[x]=y", "sort.x"],
      ["sort[date]=up", "sort.date"],
      ["sort[date]=asc&sort[date]=desc", "sort.date"],
      ["sort[__proto__]=asc", "sort.__proto__"],
      ["sort=date", "sort"],
      ["tags=", "tags"],
      ["tags=%00", "tags"],
      ["tags='%20or%201=1--", "tags"],
      [`tags=${"x".repeat(129)}`, "tags"],
      [Array(101).fill("tags=x").join("&"), "tags"],
    ]) {
      const { status, body } = await call(`GET /content/articles?${query}`);
      expect(status, query).toBe(400);
      expect(body.violations?.[0]?.property, query).toBe(property);
    }
  });

  test("with forged cursors blame the cursor", async () => {
    const { call } = await open();
    const { body } = await call("GET /content/articles?length=1&sort[menu]=asc");
    for (const cursor of [
      "%00",
      "é",
      "x".repeat(513),
      "bm90anNvbg",
      body.page.endCursor,
      forged(null),
      forged([]),
      forged([dated]),
      forged([dated, "2026-01-01"]),
      forged([dated, "2026-01-01", "uid", "more"]),
      forged([dated, 1, "uid"]),
      forged([dated, "2026-01-01", "\0"]),
      forged([dated, "2026-01-01", { toSQL: 1 }]),
      forged(["tags position.asc uid.asc", 1, "uid"]),
    ]) {
      const answer = await call(`GET /content/articles?after=${cursor}`);
      expect(answer.status, cursor).toBe(400);
      expect(answer.body.violations, cursor).toMatchObject([
        { property: "after", type: "invalid" },
      ]);
    }
  });

  test("with forged cursors of other lists are refused too", async () => {
    const { call } = await open();
    for (const [path, cursor] of [
      [
        "articles?sort[menu]=asc&",
        forged(["articles menu.asc date.desc uid.desc", 2 ** 40, "2026-01-01", "a"]),
      ],
      [
        "articles?sort[author]=asc&",
        forged(["articles author.asc date.desc uid.desc", "\0", "2026-01-01", "a"]),
      ],
      [
        "articles?sort[author]=asc&",
        forged(["articles author.asc date.desc uid.desc", "\ud800", "2026-01-01", "a"]),
      ],
      ["tags?", forged(["tags position.asc uid.asc", 1.5, "a"])],
      ["pages?", forged(["pages uid.asc", 5])],
      ["medias?", forged(["articles date.desc uid.desc", "2026-01-01", "a"])],
    ]) {
      const { status, body } = await call(`GET /content/${path}after=${cursor}`);
      expect(status, path).toBe(400);
      expect(body.violations, path).toMatchObject([{ property: "after" }]);
    }
  });

  test("for what does not exist are not found", async () => {
    const { call } = await open();
    for (const kind of [
      "articles",
      "articles/related",
      "authors",
      "categories",
      "tags",
      "pages",
      "medias",
    ]) {
      for (const uid of ["unknown", "x".repeat(5_000), "%00", "..%2f..%2fetc", "'", "%E0%A4%A"]) {
        const { status, body } = await call(`GET /content/${kind}/${uid}`);
        expect(status, `${kind}/${uid}`).toBe(404);
        expect(body.message).toEqual(expect.any(String));
      }
    }
  });

  test("for media types and paths cause no server error", async () => {
    const { call } = await open();
    expect((await call("GET /content/medias?mimeType=%00")).status).toBe(400);
    expect((await call("GET /content/medias?mimeType=image/svg%2Bxml&mimeType=a/b")).status).toBe(
      400,
    );
    for (const path of ["%00", "/%00"]) {
      expect((await call(`GET /redirects?path=${path}`)).status, path).toBe(400);
    }
    for (const path of ["/%2500", "/%E0", "//", "/x%ff", "é"]) {
      expect((await call(`GET /redirects?path=${path}`)).status, path).toBe(404);
    }
    expect((await call("GET /redirects")).status).toBe(400);
    expect((await call("GET /redirects?path=")).status).toBe(400);
    expect((await call(`GET /redirects?path=/${"x".repeat(2048)}`)).status).toBe(400);
  });
});
