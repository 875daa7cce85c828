import { beforeAll, describe, expect, it } from "vitest";
import { declarePage, type ProviderName } from "~/session/page-handle";
import { readSession, writeSession } from "~/session/cookie.server";
import { openVisit } from "~/session/visit.server";
import { rememberFunnel } from "~/session/funnel.server";
import { isCurrent } from "~/session/providers";
import { seal, unseal } from "~/session/seal.server";
import type { SessionData } from "~/session/data";
import { Session } from "~/session/session.server";
import { cookieOf, sessionCookies } from "./cookies";
import { tokenOf } from "./people";
import { failureOf } from "./scripted";

const SITE = "http://cap.example";
const DAY = 24 * 3600;

beforeAll(() => {
  process.env.SESSION_SECRET = "a-secret-of-the-session-tests-long-enough";
});

const requestWith = (headers: Record<string, string> = {}, url = SITE) =>
  new Request(url, { headers });

describe("a sealed value", () => {
  const data = { formula: "vip-mensuel" };

  it("opens with any secret of the list", async () => {
    const old = await seal(data, ["ancien"], DAY);
    expect(await unseal(old, ["nouveau", "ancien"])).toEqual(data);
    expect(await unseal(old, ["ancien"])).toEqual(data);
  });

  it("opens for its own purpose only", async () => {
    const cookie = await seal(data, ["un"], DAY);
    const form = await seal(data, ["un"], DAY, "carried form");
    expect(await unseal(cookie, ["un"], "carried form")).toBeNull();
    expect(await unseal(form, ["un"])).toBeNull();
    expect(await unseal(form, ["un"], "carried form")).toEqual(data);
  });

  it("is sealed with the first secret only", async () => {
    const sealed = await seal(data, ["nouveau", "ancien"], DAY);
    expect(await unseal(sealed, ["nouveau"])).toEqual(data);
    expect(await unseal(sealed, ["ancien"])).toBeNull();
  });

  it("does not open with another secret", async () => {
    const sealed = await seal(data, ["un"], DAY);
    expect(await unseal(sealed, ["deux", "trois", "un "])).toBeNull();
    expect(await unseal(sealed, [])).toBeNull();
  });

  it("hides its data and differs each time", async () => {
    const [one, other] = await Promise.all([seal(data, ["un"], DAY), seal(data, ["un"], DAY)]);
    const bytes = one.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    expect(bytes.join()).not.toContain("vip");
    expect(one).not.toBe(other);
  });

  it("does not open after it has expired", async () => {
    expect(await unseal(await seal(data, ["un"], -1), ["un"])).toBeNull();
    expect(await unseal(await seal(data, ["un"], 60), ["un"])).toEqual(data);
  });

  it("does not open with one changed byte", async () => {
    const sealed = await seal(data, ["un"], DAY);
    for (const [index, part] of sealed.split(".").entries()) {
      for (const position of [0, Math.floor(part.length / 2)]) {
        const parts = sealed.split(".");
        const other = part[position] === "A" ? "B" : "A";
        parts[index] = part.slice(0, position) + other + part.slice(position + 1);
        expect(await unseal(parts.join("."), ["un"])).toBeNull();
      }
    }
  });

  it("does not open with a shorter tag or another header", async () => {
    const [header = "", key, iv, text, tag = ""] = (await seal(data, ["un"], DAY)).split(".");
    const other = Buffer.from('{"enc":"A256GCM","alg":"dir"}').toString("base64url");
    for (const [first, last] of [
      [header, Buffer.from(tag, "base64url").subarray(0, 12).toString("base64url")],
      [other, tag],
    ]) {
      expect(await unseal([first, key, iv, text, last].join("."), ["un"])).toBeNull();
    }
  });

  it.each(["", "a", "....", "a.b.c", tokenOf("x"), "é".repeat(9), "a.".repeat(9_999)])(
    "does not open from malformed text like %.20s",
    async (rubbish) => {
      expect(await unseal(rubbish, ["un"])).toBeNull();
    },
  );

  it("cannot be sealed without a secret", async () => {
    await expect(seal(data, [], DAY)).rejects.toThrow("SESSION_SECRET is empty");
  });
});

describe("the session cookie", () => {
  const written = (request: Request, session = new Session({ formula: "vip-mensuel" })) =>
    writeSession(session, request);
  const valueOf = async (url: string) =>
    cookieOf(await written(requestWith({}, url))).split("=")[1];
  const attributesOf = (line: string) => line.split("; ").slice(1).sort();

  it("is hidden from scripts and other sites", async () => {
    expect(attributesOf(await written(requestWith()))).toEqual([
      "HttpOnly",
      `Max-Age=${14 * DAY}`,
      "Path=/",
      "SameSite=Lax",
    ]);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ["https://cap.example", {}, true],
    ["https://cap.example", { "x-forwarded-proto": "http" }, true],
    [SITE, { "x-forwarded-proto": "https" }, false],
    [SITE, {}, false],
  ])("for %s forwarded as %o is secure: %s", async (url, headers, secure) => {
    const line = await written(requestWith(headers, url));
    expect(attributesOf(line).includes("Secure")).toBe(secure);
    expect(line.startsWith("__Host-cap_session=")).toBe(secure);
  });

  it("of one scheme is ignored on the other", async () => {
    const https = "https://cap.example";
    const plain = (await valueOf(SITE)) ?? "";
    const secure = (await valueOf(https)) ?? "";
    const formulaOf = async (cookie: string, url: string) =>
      (await readSession(requestWith({ cookie }, url))).data.formula;
    expect(await formulaOf(`__Host-cap_session=${secure}`, https)).toBe("vip-mensuel");
    expect(await formulaOf(`__Host-cap_session=${plain}`, https)).toBeUndefined();
    expect(await formulaOf(`cap_session=${plain}`, https)).toBeUndefined();
    expect(await formulaOf(`cap_session=${secure}`, https)).toBeUndefined();
    expect(await formulaOf(`cap_session=${secure}`, SITE)).toBeUndefined();
  });

  it.each([SITE, "https://cap.example"])("is ignored at %s when sent twice", async (url) => {
    const cookie = cookieOf(await written(requestWith({}, url)));
    const other = cookieOf(await written(requestWith({}, url), new Session({ formula: "other" })));
    const read = (all: string) => readSession(requestWith({ cookie: all }, url));
    expect((await read(`${cookie}; ${other}`)).data).toEqual({});
    const planted = `cap_session=x; ${cookie}; cap_sessions=y; x__Host-cap_session=z`;
    expect((await read(url === SITE ? cookie : planted)).data.formula).toBe("vip-mensuel");
  });

  it.each([SITE, "https://cap.example"])("with its former name stays valid at %s", async (url) => {
    const secrets = [process.env.SESSION_SECRET ?? ""];
    const sealed = await seal({ formula: "vip-mensuel" }, secrets, DAY, "session cookie");
    const session = await readSession(requestWith({ cookie: `cap_session=${sealed}` }, url));
    expect([session.data.formula, session.changed]).toEqual(["vip-mensuel", true]);
  });

  it("returns the data that was written", async () => {
    const session = new Session({});
    session.connect("default", tokenOf("a"));
    session.set({ returnTo: "/article/a?b=c", affiliation: { token: "t", platform: "demo" } });
    const cookie = cookieOf(await written(requestWith(), session));
    const read = await readSession(requestWith({ cookie: `lng=fr; ${cookie}; other="x"` }));
    expect(read.data).toEqual(session.data);
    expect(read.changed).toBe(false);
  });

  it.each([
    "",
    "cap_session=",
    "cap_session=x",
    "cap_session=%",
    'cap_session="a"',
    "cap_sessionx=a",
  ])("is ignored when it is %s", async (cookie) => {
    expect((await readSession(requestWith({ cookie }))).data).toEqual({});
  });

  it("is ignored when its data is invalid", async () => {
    const sealed = new Session(JSON.parse('{"paymentResult": "2"}'));
    const cookie = cookieOf(await written(requestWith(), sealed));
    expect((await readSession(requestWith({ cookie }))).data).toEqual({});
  });
});

describe("a provider", () => {
  it("connects and disconnects independently of the other", () => {
    const session = new Session({});
    session.connect("default", tokenOf("a", { uid: "ada" }));
    session.connect("contact", tokenOf("b", { uid: "bea", acl: {} }));
    expect([session.claims("default")?.uid, session.claims("contact")?.uid]).toEqual([
      "ada",
      "bea",
    ]);
    expect([session.hasRole("vip"), session.hasRole("vip", "contact")]).toEqual([true, false]);
    session.disconnect("default");
    expect([session.claims("default"), session.claims("contact")?.uid]).toEqual([null, "bea"]);
    expect(session.token("default")).toBeUndefined();
  });

  it.each(["default", "contact"] as const)("%s disconnects alone once expired", (name) => {
    const other = name === "default" ? "contact" : "default";
    const session = new Session({
      tokens: { [name]: tokenOf("a", { exp: 1 }), [other]: tokenOf("b") },
    });
    expect([session.claims(name), session.claims(other)?.uid]).toEqual([null, "ada"]);
    expect(session.data.tokens).toEqual({ [other]: tokenOf("b") });
  });

  it.each(["default", "contact"] as const)("%s connects again with a new token only", (name) => {
    const session = new Session({ formula: "vip-mensuel" });
    session.connect(name, tokenOf("a"));
    const before = session.data;
    session.disconnect(name);
    expect(session.claims(name)).toBeNull();
    session.connect(name, tokenOf("b"));
    expect(session.data).toEqual({ ...before, tokens: { [name]: tokenOf("b") } });
  });

  it("disconnects once its token expired", () => {
    const session = new Session({ tokens: { default: tokenOf("a", { exp: 1 }) } });
    expect(session.claims()).toBeNull();
    expect(session.data.tokens).toEqual({});
    expect(session.changed).toBe(true);
  });

  it("disconnects when its token cannot be read", () => {
    const session = new Session({ tokens: { default: "illisible" } });
    expect(session.claims()).toBeNull();
    expect(session.token("default")).toBeUndefined();
  });

  it("is valid without expiry or before it", () => {
    const claims = { uid: "ada", identifier: "ada@exemple.fr", acl: {} };
    expect(isCurrent(claims, 5_000)).toBe(true);
    expect(isCurrent({ ...claims, exp: 6 }, 5_999)).toBe(true);
    expect(isCurrent({ ...claims, exp: 6 }, 6_000)).toBe(false);
    expect(isCurrent({ ...claims, exp: 0 }, 0)).toBe(false);
  });

  it.each(["", "a", "a.b.c", "e30.e30.", tokenOf("x").split(".").slice(0, 2).join(".")])(
    "refuses %j: Failed to decode token",
    (token) => {
      const session = new Session({});
      expect(() => session.connect("default", token)).toThrow("Failed to decode token");
      expect(session.changed).toBe(false);
    },
  );

  it("is either the default or the contact provider", () => {
    const session = new Session({});
    const unknown = JSON.parse('"facebook"') as ProviderName;
    const attempts = [
      () => session.connect(unknown, tokenOf("a")),
      () => session.disconnect(unknown),
      () => session.claims(unknown),
      () => session.token(unknown),
    ];
    for (const attempt of attempts) {
      expect(attempt).toThrow(`The provider "facebook" doesn't exist`);
    }
  });
});

describe("an undeclared option of a page", () => {
  const enterWith = (declared: object) =>
    openVisit({ request: requestWith(), context: {} }, { ...declarePage(), ...declared });

  it("is refused: Unknown route middleware", async () => {
    await expect(enterWith({ secure: true })).rejects.toThrow("Unknown route middleware");
    await expect(enterWith({ support: "coaching" })).resolves.toBeDefined();
  });
});

describe("a page of a provider", () => {
  const contactPage = declarePage({ provider: "contact", support: "contact", secured: true });
  const visitWith = async (session: Session, method = "GET") => {
    const cookie = cookieOf(await writeSession(session, requestWith()));
    const request = new Request(`${SITE}/account`, { method, headers: { cookie } });
    return openVisit({ request, context: {} }, contactPage);
  };
  const leaving = (visit: Promise<unknown>) =>
    visit.then(
      () => null,
      (left: unknown) => left as Response,
    );

  it("opens with its own provider's token only", async () => {
    const other = new Session({ tokens: { default: tokenOf("a") } });
    expect((await leaving(visitWith(other)))?.status).toBe(302);
    const own = new Session({ tokens: { contact: tokenOf("a") } });
    expect((await visitWith(own)).session.claims("contact")?.uid).toBe("ada");
  });

  it("loses an expired token and leads to sign-in", async () => {
    const tokens = { default: tokenOf("a"), contact: tokenOf("b", { exp: 1 }) };
    const left = await leaving(visitWith(new Session({ tokens })));
    expect(left?.headers.get("location")).toBe("/login?returnTo=%2Faccount");
    const [cookie = ""] = sessionCookies(left?.headers ?? new Headers());
    const session = await readSession(requestWith({ cookie: cookieOf(cookie) }));
    expect(session.data.tokens).toEqual({ default: tokens.default });
  });

  it("redirects a post of an ended session with 307", async () => {
    const left = await leaving(visitWith(new Session({}), "POST"));
    expect(left?.status).toBe(307);
    expect(left?.headers.get("location")).toBe("/login?returnTo=%2Faccount&carried=1");
  });
});

describe("the cookie of a session", () => {
  it("holds no receipt longer than it is shown", async () => {
    const receipt = { path: "/withdrawal", receivedAt: "2026-11-20T10:00:00.000Z" };
    const now = Math.floor(Date.now() / 1000);
    const past = { ...receipt, keptUntil: now - 1, declared: { email: "ada@exemple.fr" } };
    const shown = { ...receipt, keptUntil: now + 1000 };
    const readAgain = async (receipts: SessionData["receipts"]) => {
      const cookie = cookieOf(await writeSession(new Session({ receipts }), requestWith()));
      const { changed, data } = await readSession(requestWith({ cookie }));
      return { changed, receipts: data.receipts };
    };
    // What changed is written again, without them.
    expect(await readAgain([past, shown])).toEqual({ changed: true, receipts: [shown] });
    expect(await readAgain([past])).toEqual({ changed: true, receipts: undefined });
    expect(await readAgain([shown])).toEqual({ changed: false, receipts: [shown] });
  });
});

describe("a visitor who signs in", () => {
  const funnel: SessionData = {
    uniqueToken: "utk",
    affiliation: { token: "t", platform: "demo" },
    formula: "vip-mensuel",
    cashback: true,
    returnTo: "/article/a",
    paymentResult: "0",
    receipts: [{ path: "/withdrawal", receivedAt: "2026-11-20", keptUntil: 1_795_000_000 }],
  };
  const of = (uid: string) => tokenOf(uid, { uid });

  it("keeps the data from before signing in", () => {
    const session = new Session(funnel);
    session.connect("default", of("ada"));
    expect(session.data).toMatchObject(funnel);
  });

  it("finds their data after the session ended", () => {
    const session = new Session({});
    session.connect("default", of("ada"));
    session.set(funnel);
    session.disconnect("default");
    session.connect("default", of("ada"));
    expect(session.data).toMatchObject(funnel);
  });

  it.each([true, false])("finds no data of another account, ended: %s", (ended) => {
    const session = new Session({});
    session.connect("default", of("ada"));
    session.connect("contact", of("ada"));
    session.set(funnel);
    if (ended) session.disconnect("default");
    session.connect("default", of("bea"));
    const { person, ...left } = session.data;
    expect([person, left]).toEqual([expect.any(String), { tokens: { default: of("bea") } }]);
  });

  it("is recognised without a stored fingerprint", () => {
    const session = new Session({ ...funnel, tokens: { default: of("ada") } });
    session.connect("default", of("bea"));
    expect(session.data.affiliation).toBeUndefined();
  });

  it("keeps the data when the token is renewed", () => {
    const session = new Session({ ...funnel, tokens: { default: of("ada") } });
    session.connect("default", tokenOf("renewed", { uid: "ada" }));
    expect(session.data).toMatchObject(funnel);
  });
});

describe("a funnel after a session ended", () => {
  const visitOf = async (session: Session) => {
    const cookie = cookieOf(await writeSession(session, requestWith()));
    const url = `${SITE}/registration?utk=new`;
    return openVisit({ request: requestWith({ cookie }, url), context: {} }, declarePage());
  };

  it("starts with its own parameters only", async () => {
    const session = new Session({});
    session.connect("default", tokenOf("a"));
    session.set({ uniqueToken: "old", paymentResult: "0" });
    session.disconnect("default");
    const visit = await visitOf(session);
    rememberFunnel(visit, { cashback: false });
    expect(visit.session.data).toEqual({ uniqueToken: "new" });
    visit.session.connect("default", tokenOf("b", { uid: "bea" }));
    expect(visit.session.data.uniqueToken).toBe("new");
  });

  it("continues for a visitor without an account", async () => {
    const visit = await visitOf(new Session({ formula: "vip-mensuel", paymentResult: "0" }));
    rememberFunnel(visit, { cashback: false });
    expect(visit.session.data).toMatchObject({ formula: "vip-mensuel", paymentResult: "0" });
  });

  it.each([
    ["forgets the affiliation by the link of another partner", "old", undefined],
    [
      "keeps the affiliation by a link of the same partner",
      "new",
      { token: "t", platform: "demo" },
    ],
  ])("%s", async (_, uniqueToken, affiliation) => {
    const visit = await visitOf(
      new Session({ uniqueToken, affiliation: { token: "t", platform: "demo" } }),
    );
    rememberFunnel(visit, { cashback: false });
    expect(visit.session.data).toMatchObject({ uniqueToken: "new" });
    expect(visit.session.data.affiliation).toEqual(affiliation);
  });
});

describe("a flash message", () => {
  const saved = { type: "success", key: "nameSaved" } as const;
  const other = { type: "error", key: "dataError" } as const;

  it("is shown once", () => {
    const session = new Session({ flash: [saved] });
    expect([session.takeFlash(), session.takeFlash()]).toEqual([[saved], []]);
    expect(session.changed).toBe(true);
  });

  it("that is missing leaves the session unchanged", () => {
    const session = new Session({});
    expect(session.takeFlash()).toEqual([]);
    session.returnFlash();
    expect(session.changed).toBe(false);
  });

  it("comes back when the page redirects", () => {
    const session = new Session({ flash: [saved] });
    session.takeFlash();
    session.takeFlash();
    session.flash(other);
    session.returnFlash();
    session.returnFlash();
    expect(session.takeFlash()).toEqual([saved, other]);
  });

  it("stays in the cookie of a redirect", async () => {
    const request = requestWith({
      cookie: cookieOf(await writeSession(new Session({ flash: [saved] }), requestWith())),
    });
    const visit = await openVisit({ request, context: {} }, declarePage());
    visit.session.takeFlash();
    const { headers } = await visit.redirect("/login");
    const [cookie = ""] = sessionCookies(headers);
    const next = await readSession(requestWith({ cookie: cookieOf(cookie) }));
    expect(next.takeFlash()).toEqual([saved]);
  });

  it("is dropped when five newer ones follow", () => {
    const session = new Session({});
    const keys = [
      ...(["signedIn", "nameSaved", "undoDone", "deskSaved"] as const),
      ...(["deskSent", "deskNoted", "signedOut"] as const),
    ];
    for (const key of keys) session.flash({ type: "info", key });
    expect(session.takeFlash().map(({ key }) => key)).toEqual(keys.slice(2));
  });
});

describe("a message whose text no longer exists", () => {
  it("is dropped, and the session stays open", async () => {
    const token = tokenOf("a");
    const left = {
      tokens: { default: token },
      flash: [{ type: "info", key: "ofAnEarlierRelease" }],
    };
    const sealed = await seal(left, [process.env.SESSION_SECRET ?? ""], 60, "session");
    const session = await readSession(requestWith({ cookie: `cap_session=${sealed}` }));
    expect([session.token("default"), session.takeFlash()]).toEqual([token, []]);
  });
});

describe("the declaration of a support page", () => {
  const open = (declared: Parameters<typeof declarePage>[0]) =>
    openVisit({ request: requestWith(), context: {} }, declarePage(declared));

  it.each([
    [{ provider: "contact" as const }],
    [{ provider: "contact" as const, support: JSON.parse('"sales"') as "contact" }],
    [{ support: JSON.parse('""') as "contact" }],
  ])("%o without valid type is invalid", async (declared) => {
    expect((await failureOf(open(declared))).message).toBe(
      'The "support" configuration of this page is invalid',
    );
  });

  it("with one of the two types opens", async () => {
    expect((await open({ provider: "contact", support: "contact" })).session.data).toEqual({});
    expect((await open({ support: "coaching" })).session.data).toEqual({});
  });
});
