import { describe, expect, it } from "vitest";
import { formKeyOf, newFormKey } from "~/session/form-key.server";
import { formKeysIn, withoutFormKeys } from "../support/form-keys";
import { openRoleSite } from "./role-site";

const site = openRoleSite(1);

/** Pages with a form that are the same for all visitors but for its key. */
const WITH_KEY = ["/registration", "/contact/new-ticket"];
const WITHOUT_KEY = [
  "/login?returnTo=/article/lire-son-theme-natal",
  "/reset-password",
  "/reset-password?sent=1",
  "/contact/link",
  "/withdrawal",
  "/cancel-contract",
];

describe.each(["identity", "gzip", "br"])("a kept form in %s", (encoding) => {
  const get = (path: string, cookie = "") =>
    site.get(path, cookie, { "accept-encoding": encoding });

  /** Opens the page until it comes from the cache in this encoding. */
  const warm = (path: string) =>
    expect
      .poll(async () => {
        const { cache, headers } = await get(path);
        // A page that is compressed for one request has no length.
        return [cache, headers["content-length"] !== undefined];
      })
      .toEqual(["hit", true]);

  it.each(WITH_KEY)("has another key for each visitor at %s", async (path) => {
    await warm(path);
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(path)));
    const keys = answers.map(({ text }) => new Set(formKeysIn(text)));
    for (const { headers, text } of answers) {
      expect(headers).toMatchObject({ "cache-control": "no-store", "x-cache": "hit" });
      expect(headers.etag).toBeUndefined();
      // In its field and in the page's data.
      expect(formKeysIn(text)).toHaveLength(2);
    }
    expect(keys.map(({ size }) => size)).toEqual(answers.map(() => 1));
    expect(new Set(keys.flatMap((found) => [...found])).size).toBe(answers.length);
  });

  it.each([...WITH_KEY, ...WITHOUT_KEY])("is the page that a visitor gets at %s", async (path) => {
    await warm(path);
    const kept = await get(path);
    const ordinary = await site.ordinary(path, "");
    expect(withoutFormKeys(kept.text)).toBe(withoutFormKeys(ordinary.text));
    expect(ordinary.caching).toBe("private, no-store");
    expect(kept.headers["cache-control"]).toBe("no-store");
  });

  it.each([...WITH_KEY, ...WITHOUT_KEY])("is not for who has a session at %s", async (path) => {
    await warm(path);
    const [account] = site.accounts;
    const answer = await get(path, await account?.cookie(["vip"]));
    // A subscriber is led on from some of them.
    expect(answer.cache ?? String(answer.status)).toMatch(/^(?:bypass|302)$/);
  });
});

it("visitors who wait for one page get a key each", async () => {
  site.revise();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => site.get("/registration", "")),
  );
  expect(new Set(answers.flatMap(({ text }) => formKeysIn(text))).size).toBe(answers.length);
});

describe("a page that writes the session", () => {
  it.each([
    "/registration/welcome",
    "/registration?returnTo=/article/lire-son-theme-natal",
    "/registration?token=abc&platform=p",
  ])("is made for its visitor at %s", async (path) => {
    const cookies = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const { cache, headers, text } = await site.get(path, "");
      expect([cache, headers["cache-control"]]).toEqual(["bypass", "private, no-store"]);
      expect(new Set(formKeysIn(text)).size).toBe(1);
      cookies.add(headers["set-cookie"]?.join() ?? "none");
    }
    expect(cookies.size).toBe(3);
    expect(cookies).not.toContain("none");
  });
});

describe("the key of a form", () => {
  it("is new each time, and as long as an owner mark", () => {
    const keys = Array.from({ length: 1_000 }, newFormKey);
    expect(new Set(keys).size).toBe(1_000);
    for (const key of keys) expect(key).toMatch(/^[\w-]{22}$/);
  });

  it("is new on a page for one request", () => {
    expect(formKeyOf({})).not.toBe(formKeyOf({}));
  });

  it("is refused on a page for a role", () => {
    const standIn = { roles: { vip: true as const }, favorites: [] };
    expect(() => formKeyOf({ standIn })).toThrow("kept for a role");
  });

  it("cannot be named by anything but a text", () => {
    expect(() => formKeyOf({ formKey: 7 })).toThrow("no text");
  });
});
