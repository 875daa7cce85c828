import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { send } from "../support/host";
import { cookieOf, type Account, type RoleName } from "./role-people";
import { marksIn, openRoleSite } from "./role-site";

const site = openRoleSite(2);
const { get, ordinary, made } = site;

let ada: Account;
let bea: Account;
let article = "";

beforeAll(async () => {
  [ada, bea] = site.accounts as [Account, Account];
  article = await site.article(true);
});
afterEach(async () => {
  site.hold()();
  for (const account of [ada, bea]) {
    await account.setRoles(["vip"]);
    await account.setAlive(true);
    await account.setFavorites([]);
  }
  site.revise();
  made.length = 0;
});

/** The page in this encoding, as soon as it is compressed. */
async function compressed(path: string, cookie: string, encoding: string) {
  const accept = { "accept-encoding": encoding };
  await expect
    .poll(async () => (await get(path, cookie, accept)).headers.etag)
    .toMatch(new RegExp(`^".+-${encoding}"$`));
  return get(path, cookie, accept);
}

describe("a page of people with the same role", () => {
  it.each(["/", "/articles", "/articles?sort=author-asc"])("is made once: %s", async (path) => {
    const [first, second] = [await ada.cookie(["vip"]), await bea.cookie(["vip"])];
    expect((await get(path, first)).cache).toBe("miss");
    const answer = await get(path, second);
    expect(answer.cache).toBe("hit");
    expect(answer.text).toBe((await ordinary(path, second)).text);
    expect(made).toEqual(["vip"]);
  });

  it.each(["identity", "gzip", "br"])("has the mark of who asks, in %s", async (encoding) => {
    const cookies = [await ada.cookie(["vip"]), await bea.cookie(["vip"])];
    if (encoding !== "identity") await compressed(article, cookies[0] ?? "", encoding);
    else await get(article, cookies[0] ?? "");
    for (const [index, { mark }] of [ada, bea].entries()) {
      const cookie = cookies[index] ?? "";
      const answer = await get(article, cookie, { "accept-encoding": encoding });
      expect(answer.cache).toBe("hit");
      expect(answer.headers["content-length"]).toBe(String(answer.body.byteLength));
      expect(marksIn(answer.text)).toEqual([mark]);
      expect(answer.text).toBe((await ordinary(article, cookie)).text);
    }
    expect(made).toEqual(["vip"]);
  });

  it("is made once for two hundred who ask at the same time", async () => {
    const cookies = [await ada.cookie(["vip"]), await bea.cookie(["vip"])];
    const asked = Array.from({ length: 200 }, (_, n) => get(article, cookies[n % 2] ?? ""));
    for (const [n, { text }] of (await Promise.all(asked)).entries()) {
      expect(marksIn(text)).toEqual([n % 2 === 0 ? ada.mark : bea.mark]);
    }
    expect(made).toEqual(["vip"]);
  });

  it("is another one for who keeps the article", async () => {
    const cookie = await ada.cookie(["vip"]);
    const intent = async () =>
      /name="intent" value="(\w+)"/.exec((await get(article, cookie)).text)?.[1];
    expect([await intent(), await intent()]).toEqual(["keep", "keep"]);
    await ada.setFavorites([article.replace("/article/", "")]);
    expect([await intent(), await intent()]).toEqual(["drop", "drop"]);
    await ada.setFavorites([]);
    expect(await intent()).toBe("keep");
    expect(made).toHaveLength(2);
  });

  it("is another one for each set of roles", async () => {
    for (const roles of [["vip"], ["coach"], ["coach", "vip"]] satisfies RoleName[][]) {
      await ada.setRoles(roles);
      const cookie = await ada.cookie(roles);
      for (let n = 0; n < 2; n++) {
        expect((await get("/articles", cookie)).text).toBe(
          (await ordinary("/articles", cookie)).text,
        );
      }
    }
    expect(made).toEqual(["vip", "coach", "coach+vip"]);
  });

  it("is for this browser only, with a strong tag of its own", async () => {
    const [mine, others] = [await ada.cookie(["vip"]), await bea.cookie(["vip"])];
    const { headers } = await compressed(article, mine, "br");
    expect(headers).toMatchObject({
      "cache-control": "private, no-cache",
      vary: "Cookie, Accept-Encoding, Save-Data",
    });
    expect(headers["set-cookie"]).toBeUndefined();
    const again = { "accept-encoding": "br", "if-none-match": headers.etag ?? "" };
    expect(await get(article, mine, again)).toMatchObject({ status: 304, cache: "hit" });
    expect((await get(article, others, again)).status).toBe(200);
    const head = await send(site.host(), article, {
      method: "HEAD",
      headers: { cookie: mine, "accept-encoding": "br" },
    });
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      "content-length": headers["content-length"],
    });
    expect(head.body.byteLength).toBe(0);
  });

  it("is sent after ten seconds, and made anew", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const host = await site.openAltered((html) => html);
    const cookie = await ada.cookie(["vip"]);
    const ask = async () => (await get(article, cookie, {}, host)).cache;
    expect([await ask(), await ask()]).toEqual(["miss", "hit"]);
    expect(made).toEqual(["vip"]);
    vi.setSystemTime(Date.now() + 11_000);
    expect(await ask()).toBe("hit");
    await expect.poll(() => made).toEqual(["vip", "vip"]);
    vi.useRealTimers();
    host.server.close();
  });

  it("is made anew when the content has changed", async () => {
    const cookie = await ada.cookie(["vip"]);
    await get(article, cookie);
    site.revise();
    expect((await get(article, cookie)).cache).toBe("miss");
  });

  it("is kept beside what the funnel remembers of a person", async () => {
    const cookie = await ada.cookie(["vip"], {
      formula: "vip-mensuel",
      uniqueToken: "abc",
      paymentResult: "1",
      returnTo: "/account",
      cashback: true,
    });
    for (const path of ["/", "/articles", article]) {
      await get(path, cookie);
      const answer = await get(path, cookie);
      expect(answer.cache).toBe("hit");
      expect(answer.text).toBe((await ordinary(path, cookie)).text);
    }
  });
});

describe("the next request gets no page of a role", () => {
  const ends: [string, () => Promise<void>][] = [
    ["after signing out elsewhere", () => ada.setAlive(false)],
    ["after the end of the subscription", () => ada.setRoles([])],
    ["after the role has changed", () => ada.setRoles(["coach"])],
    ["after the account was deleted", () => setStatus("deleted")],
  ];
  const setStatus = async (status: "active" | "deleted") => {
    const update = site.database().updateTable("account").set({ status });
    await update.where("uid", "=", ada.uid).execute();
  };
  afterEach(() => setStatus("active"));

  it.each(ends)("%s", async (_, end) => {
    const cookie = await ada.cookie(["vip"]);
    await get(article, cookie);
    expect((await get(article, cookie)).cache).toBe("hit");
    await end();
    const answer = await get(article, cookie);
    expect(answer.cache).toBe("bypass");
    expect(answer.text).toBe((await ordinary(article, cookie)).text);
    expect(answer.text).not.toContain(ada.mark);
  });

  it("of a right that ended while the page was made", async () => {
    const cookie = await ada.cookie(["vip"]);
    const release = site.hold();
    const answer = get(article, cookie);
    await expect.poll(() => made).toEqual(["vip"]);
    await ada.setRoles([]);
    release();
    const { cache, text } = await answer;
    expect(cache).toBe("bypass");
    expect(text).toBe((await ordinary(article, cookie)).text);
  });
});

describe("a page is made for one person", () => {
  const bypassed = async (path: string, cookie: string) => {
    const { cache, text } = await get(path, cookie);
    expect(cache).toBe("bypass");
    expect(text).toBe((await ordinary(path, cookie)).text);
    expect((await get(path, cookie)).cache).toBe("bypass");
  };

  it("with a message for them", async () => {
    await get(article, await ada.cookie(["vip"]));
    const flash = [{ type: "success", key: "favoriteKept" } as const];
    await bypassed(article, await ada.cookie(["vip"], { flash }));
  });

  it("whose cookie is of the other scheme", async () => {
    const cookie = await ada.cookie(["vip"]);
    const ask = (scheme: string) =>
      get(article, cookie, { "x-forwarded-proto": scheme }, site.proxied());
    expect((await ask("http")).cache).toBe("miss");
    const answer = await ask("https");
    expect(answer.cache).toBe("bypass");
    expect(answer.text).not.toContain(ada.mark);
  });

  it("whose token is replaced", async () => {
    await ada.setRoles(["coach", "vip"]);
    const cookie = await ada.cookie(["vip"]);
    await bypassed("/articles", cookie);
    expect((await get("/articles", cookie)).headers["set-cookie"]).toBeDefined();
  });

  it("whose cookie is of an older release, forged, doubled or empty", async () => {
    await get("/articles", await ada.cookie(["vip"]));
    const own = await ada.cookie(["vip"]);
    const forged = await cookieOf(
      { tokens: { default: await ada.token(["vip"]) } },
      "another secret",
    );
    const swapped = own.replace("cap_session", "__Host-cap_session");
    for (const cookie of [
      forged,
      swapped,
      `${own}; ${own}`,
      "cap_session=",
      `${own.slice(0, -2)}`,
    ]) {
      await bypassed("/articles", cookie);
    }
    expect(made).toEqual(["vip"]);
  });

  it("without a role, or with an offer of their own", async () => {
    await ada.setRoles([]);
    for (const path of ["/articles", "/", article]) await bypassed(path, await ada.cookie([]));
    expect(made).toEqual([]);
    await bea.setRoles(["coach"]);
    for (const path of ["/", article]) await bypassed(path, await bea.cookie(["coach"]));
    expect(made).toEqual(["coach", "coach"]);
  });

  it.each(["/article/inconnu", "/contact", "/about"])("at %s", async (path) => {
    await bypassed(path, await ada.cookie(["vip"]));
  });

  it("with owner marks in two places", async () => {
    const repeat = (times: number) =>
      site.openAltered((html) =>
        html.replace(/<input[^>]* name="owner"[^>]*>/, (field) => field.repeat(times)),
      );
    const cookies = [await ada.cookie(["vip"]), await bea.cookie(["vip"])];
    const ask = async (times: number) => {
      const host = await repeat(times);
      const answers = [];
      for (const cookie of cookies) answers.push(await get(article, cookie, {}, host));
      host.server.close();
      return answers.map(({ cache, text }) => [cache, marksIn(text)]);
    };
    expect(await ask(1)).toEqual([
      ["miss", [ada.mark]],
      ["hit", [bea.mark]],
    ]);
    expect(await ask(2)).toEqual([
      ["bypass", [ada.mark, ada.mark]],
      ["bypass", [bea.mark, bea.mark]],
    ]);
  });

  it("with an external API, which tells nothing of a session that ended", async () => {
    const bare = await site.openWithoutPeople();
    const cookie = await ada.cookie(["vip"]);
    for (let n = 0; n < 2; n++) expect((await get(article, cookie, {}, bare)).cache).toBe("bypass");
    bare.server.close();
  });
});
