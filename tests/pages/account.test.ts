import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openPages, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

const NEW = "un tout nouveau mot de passe";
const ARTICLE = "/article/lire-son-theme-natal";

const textOf = ({ dom }: PageAnswer, selector = "main") => dom.querySelector(selector)?.text ?? "";

async function subscriber(agent = "") {
  const email = newEmail();
  await subscribe(visitor(), email);
  return { email, reader: await signedIn(email, agent) };
}

async function signedIn(email: string, agent = "", password = PASSWORD): Promise<Visitor> {
  const reader = visitor();
  const answer = await reader.send("/login", {
    method: "POST",
    headers: { "user-agent": agent },
    body: new URLSearchParams({ email, password }),
  });
  expect(answer.status).toBe(303);
  return reader;
}

const isIn = async (reader: Visitor) => (await reader.get("/account")).status === 200;

it("the account shows first what is used most", async () => {
  const { reader } = await subscriber();
  const { dom } = await reader.get("/account");
  expect(dom.querySelectorAll("main h2").map(({ text }) => text)).toEqual([
    "Abonnement",
    "Mes favoris",
    "Profil",
    "Vos appareils",
    "Mot de passe",
    "Vos données",
  ]);
});

describe("the password on the account page", () => {
  const change = (reader: Visitor, fields: Record<string, string>) =>
    reader.post("/account", { intent: "password", ...fields });

  it("changes, and signs other devices out", async () => {
    const { email, reader } = await subscriber();
    const other = await signedIn(email);
    const fields = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    const page = await reader.follow(await change(reader, fields));
    expect(textOf(page)).toContain("Votre mot de passe est changé");
    expect([await isIn(reader), await isIn(other)]).toEqual([true, false]);
    expect(await isIn(await signedIn(email, "", NEW))).toBe(true);
  });

  it.each([
    ["a wrong current one", { currentPassword: "faux-mot-passé" }, "currentPassword"],
    ["two unlike new ones", { passwordConfirmation: PASSWORD }, "passwordConfirmation"],
    ["a short new one", { password: "court", passwordConfirmation: "court" }, "password"],
  ])("shows %s on its field", async (_, wrong, field) => {
    const { reader } = await subscriber();
    const right = { currentPassword: PASSWORD, password: NEW, passwordConfirmation: NEW };
    const { status, dom, body } = await change(reader, { ...right, ...wrong });
    expect(status).toBe(400);
    expect(dom.querySelectorAll(".field__error").map(({ id }) => id)).toEqual([
      `password-form-${field}-error`,
    ]);
    for (const secret of [NEW, "faux-mot-passé"]) expect(body).not.toContain(secret);
    // In the order of the form.
    expect(dom.querySelector("main")?.text).toMatch(
      /de nouveau\s: mot de passe actuel, mot de passe, conf/,
    );
  });
});

describe("the devices on the account page", () => {
  const FIREFOX = "Mozilla/5.0 (Android 14; Mobile; rv:128.0) Gecko/128.0 Firefox/128.0";

  it("are listed, and one can be signed out", async () => {
    const { email, reader } = await subscriber();
    const other = await signedIn(email, FIREFOX);
    const page = await reader.get("/account");
    expect(textOf(page, "#sessions")).toContain("Firefox, Android");
    expect(textOf(page, "#sessions")).toContain("Cet appareil");
    const row = page.dom
      .querySelectorAll("#sessions li")
      .find(({ text }) => text.includes("Firefox"));
    const session = row?.querySelector("[name=session]")?.getAttribute("value") ?? "";
    const answer = await reader.post("/account", { intent: "end-session", session });
    expect(textOf(await reader.follow(answer))).toContain("L’autre appareil est déconnecté");
    expect([await isIn(reader), await isIn(other)]).toEqual([true, false]);
  });

  it("are listed all, with the oldest", async () => {
    const { email, reader } = await subscriber(FIREFOX);
    for (let count = 0; count < 25; count++) await signedIn(email);
    const page = await reader.get("/account");
    expect(page.dom.querySelectorAll("#sessions li")).toHaveLength(27);
    expect(textOf(page, "#sessions")).toContain("Firefox, Android");
    expect(textOf(page, "#sessions")).toContain("Cet appareil");
  });

  it("are all signed out at once, this one too", async () => {
    const { email, reader } = await subscriber();
    const other = await signedIn(email);
    const page = await reader.follow(await reader.post("/account", { intent: "end-sessions" }));
    expect(page.path).toBe("/login");
    expect([await isIn(reader), await isIn(other)]).toEqual([false, false]);
  });

  it("sign out at the platform as well", async () => {
    const { reader } = await subscriber();
    const before = reader.cookie();
    await reader.post("/logout", {});
    const stolen = await visitor().get("/account", { cookie: before });
    expect(stolen.status).toBe(302);
  });
});

describe("favorites", () => {
  const button = (page: PageAnswer) => page.dom.querySelector("article [name=intent]");

  it("are saved on the article and listed on the account", async () => {
    const { reader } = await subscriber();
    expect(button(await reader.get(ARTICLE))?.getAttribute("value")).toBe("keep");
    const kept = await reader.follow(await reader.post(ARTICLE, { intent: "keep" }));
    expect(button(kept)?.getAttribute("value")).toBe("drop");
    await reader.post(ARTICLE, { intent: "keep" });
    const links = async () =>
      (await reader.get("/account")).dom
        .querySelectorAll("#favorites a[href^='/article/']")
        .map((link) => link.getAttribute("href"));
    expect(await links()).toEqual([ARTICLE]);
    await reader.post(ARTICLE, { intent: "drop" });
    expect(await links()).toEqual([]);
  });

  it("leave the coaching name unchanged", async () => {
    const { reader } = await subscriber();
    await reader.post("/account", { intent: "name", name: "Zoé" });
    await reader.post(ARTICLE, { intent: "keep" });
    expect(textOf(await reader.get("/account"), "#profile dl")).toContain("Zoé");
  });

  it("are for subscribers: others sign in first", async () => {
    const stranger = visitor();
    expect(button(await stranger.get(ARTICLE))).toBeNull();
    const answer = await stranger.post(ARTICLE, { intent: "keep" });
    expect(answer.headers.get("location")).toBe(`/login?returnTo=${encodeURIComponent(ARTICLE)}`);
    expect((await stranger.post("/article/inconnu", { intent: "keep" })).status).toBe(404);
  });
});

describe("the account's data", () => {
  it("comes as a file, also without a subscription", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    const file = await reader.get("/account/export");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="cap-celeste-/);
    expect(file.headers.get("cache-control")).toContain("no-store");
    expect(JSON.stringify(JSON.parse(file.body))).toContain(email);
  });

  it("has the day of Paris in its file's name", async () => {
    const reader = visitor();
    await reachBank(reader);
    const [today = ""] = new Date().toISOString().split("T");
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ now: new Date(`${today}T23:30:00Z`), toFake: ["Date"] });
    const file = await reader.get("/account/export");
    const tomorrow = new Date(Date.parse(today) + 24 * 3_600_000).toISOString().split("T")[0];
    expect(file.headers.get("content-disposition")).toContain(`"cap-celeste-${tomorrow}.json"`);
  });

  it("is deleted once the effects are confirmed", async () => {
    const { email, reader } = await subscriber();
    const page = await reader.get("/account/data");
    expect(textOf(page)).toMatch(/L’accès qui vous reste, jusqu’au \d/);
    const refused = await reader.post("/account/data", {});
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Cochez la case pour confirmer la suppression");
    const gone = await reader.follow(await reader.post("/account/data", { confirm: "on" }));
    expect(gone.path).toBe("/");
    expect(textOf(gone)).toContain("Votre compte est supprimé");
    const again = await visitor().post("/login", { email, password: PASSWORD });
    expect(again.status).toBe(400);
  });

  it("is closed to visitors until they sign in", async () => {
    for (const path of ["/account/export", "/account/data"]) {
      expect((await visitor().get(path)).headers.get("location")).toContain("/login?returnTo=");
    }
  });
});
