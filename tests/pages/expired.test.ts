import type { HTMLElement } from "node-html-parser";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, SITE, type Fields, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, subscribe } from "../support/people";

const { visitor } = openPages();

const NAME = { name: "Zoé d’Arc", intent: "name" };
const CARRIED = "/login?returnTo=%2Faccount&carried=1";

async function subscriber() {
  const email = newEmail();
  const reader = visitor();
  await subscribe(reader, email);
  return { email, reader };
}

/** Posts a form and follows a 307 like a browser, with the same body. */
async function postOn(reader: Visitor, path: string, fields: Fields): Promise<PageAnswer> {
  const answer = await reader.post(path, fields);
  expect(answer.status).toBe(307);
  const { pathname, search } = new URL(answer.headers.get("location") ?? "", SITE);
  return reader.post(pathname + search, fields);
}

/** The fields of a form, as a browser sends them. */
function fieldsOf(form: HTMLElement | null) {
  const fields: Record<string, string[]> = {};
  for (const input of form?.querySelectorAll("input, textarea") ?? []) {
    const name = input.getAttribute("name") ?? "";
    (fields[name] ??= []).push(input.getAttribute("value") ?? input.text);
  }
  return fields;
}

const formOf = ({ dom }: PageAnswer) => dom.querySelector("main form");

const titleOf = ({ dom }: PageAnswer) => dom.querySelector("title")?.text;

/** Signs in on a login page that carries a form. */
function signIn(reader: Visitor, page: PageAnswer, email: string, password = PASSWORD) {
  const { carried = [] } = fieldsOf(formOf(page));
  const action = formOf(page)?.getAttribute("action") ?? "";
  return reader.post(action.replaceAll("&amp;", "&"), { email, password, carried });
}

/** Presses « Reprendre ». */
function resume(reader: Visitor, page: PageAnswer) {
  expect(page.dom.querySelector("h1")?.text).toBe("Votre session est de nouveau ouverte");
  return reader.post(formOf(page)?.getAttribute("action") ?? "", fieldsOf(formOf(page)));
}

const nameIn = ({ dom }: PageAnswer) =>
  dom.querySelector("input[name=name]")?.getAttribute("value");

async function endSessions(reader: Visitor, uid: string, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return reader.send(`/api/users/${uid}/sessions`, { method: "DELETE", headers });
}

/** Ends all sessions from another browser of the same person. */
async function revoke(email: string) {
  const other = visitor();
  const body = JSON.stringify({ identifier: email, password: PASSWORD });
  const headers = { "content-type": "application/json" };
  const { body: answer } = await other.send("/api/auth_check", { method: "POST", headers, body });
  const { token } = (JSON.parse(answer) as { payload: { token: string } }).payload;
  const { uid } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as {
    uid: string;
  };
  expect((await endSessions(other, uid, token)).status).toBeLessThan(300);
}

describe("a post after the session ended", () => {
  it("returns to its form and changes nothing", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const page = await postOn(reader, paths.account(), NAME);
    expect([page.status, titleOf(page)]).toEqual([200, "Cap Céleste - Connexion"]);
    expect(page.html).toContain("Ce que vous avez écrit est conservé");
    const signedIn = await signIn(reader, page, email);
    expect([signedIn.status, titleOf(signedIn)]).toEqual([
      200,
      "Cap Céleste - Votre session est de nouveau ouverte",
    ]);
    expect(signedIn.html).not.toContain('http-equiv="refresh"');
    const restored = await resume(reader, signedIn);
    expect([restored.status, nameIn(restored)]).toEqual([200, NAME.name]);
    expect(titleOf(restored)).toBe("Cap Céleste - Mon compte");
    expect(restored.dom.querySelectorAll("[role=alert], .field__error")).toEqual([]);
    expect(nameIn(await reader.get(paths.account())) ?? "").toBe("");
    expect((await reader.post(paths.account(), NAME)).status).toBe(303);
  });

  it.each([
    ["right", NAME],
    ["wrong", { name: "Zoé 🌙", intent: "name" }],
  ])("of a revoked session comes back, %s or not", async (_, fields) => {
    const { email, reader } = await subscriber();
    await revoke(email);
    const page = await postOn(reader, paths.account(), fields);
    const restored = await resume(reader, await signIn(reader, page, email));
    expect([restored.status, nameIn(restored)]).toEqual([200, fields.name]);
  });

  it("survives a wrong password", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const page = await postOn(reader, paths.account(), NAME);
    const refused = await signIn(reader, page, email, "un autre mot");
    expect(refused.status).toBe(400);
    const restored = await resume(reader, await signIn(reader, refused, email));
    expect(nameIn(restored)).toBe(NAME.name);
  });

  it("carries no secret anywhere", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const secrets = { currentPassword: "secret-un", password: "secret-deux", intent: "password" };
    const page = await postOn(reader, paths.account(), secrets);
    const signedIn = await signIn(reader, page, email);
    expect(Object.keys(fieldsOf(formOf(signedIn)))).toEqual(["owner", "restore", "intent"]);
    const restored = await resume(reader, signedIn);
    expect(restored.status).toBe(200);
    for (const { body } of [page, signedIn, restored]) expect(body).not.toMatch(/secret-(un|deux)/);
  });

  it("changes nothing even in a form without fields", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const page = await postOn(reader, paths.account(), { intent: "end-sessions" });
    const restored = await resume(reader, await signIn(reader, page, email));
    expect([restored.status, restored.headers.get("location")]).toEqual([303, paths.account()]);
    expect((await reader.get(paths.account())).status).toBe(200);
  });

  it("stops no subscription by itself", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const page = await postOn(reader, paths.accountSubscription(), { confirm: "on" });
    const restored = await resume(reader, await signIn(reader, page, email));
    expect(restored.status).toBe(200);
    expect(restored.dom.querySelector(".tag")?.text).toBe("Actif");
  });

  it("continues at once if its sender is signed in", async () => {
    const { reader } = await subscriber();
    const restored = await resume(reader, await reader.post(CARRIED, NAME));
    expect([restored.status, nameIn(restored)]).toEqual([200, NAME.name]);
  });

  it("keeps 10,000 characters and repeated fields exactly", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const text = `\n\n"<b>&amp; œ 漢 🌙\u202f;\r\n`.repeat(1_000).slice(0, 10_000);
    const sent = { name: text, tags: ["b", "a", "b", ""], "a[0].b": "c", intent: "name" };
    const page = await postOn(reader, paths.account(), sent);
    const signedIn = await signIn(reader, page, email);
    const plain = text.replaceAll("\r\n", "\n");
    expect(fieldsOf(formOf(signedIn))).toEqual({
      owner: [expect.any(String)],
      restore: ["1"],
      name: [plain],
      tags: sent.tags,
      "a[0].b": ["c"],
      intent: ["name"],
    });
    expect(nameIn(await resume(reader, signedIn))).toBe(plain);
  });

  it("says that more than 64 KiB is lost", async () => {
    const { email } = await subscriber();
    const reader = visitor();
    const page = await postOn(reader, paths.account(), { ...NAME, text: "é".repeat(33_000) });
    expect(page.html).toContain("n’a pas pu être conservé");
    expect(fieldsOf(formOf(page)).carried).toBeUndefined();
    const signedIn = await signIn(reader, page, email);
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, paths.account()]);
  });
});

describe("a carried form", () => {
  it("is not shown to another person", async () => {
    const { email, reader } = await subscriber();
    const other = await subscriber();
    await revoke(email);
    const page = await postOn(reader, paths.account(), NAME);
    const signedIn = await signIn(reader, page, other.email);
    expect([signedIn.status, signedIn.headers.get("location")]).toEqual([303, paths.account()]);
    expect(signedIn.body).not.toContain(NAME.name);
  });

  it.each(["//mal.example", "https://mal.example/account", "/about", "/login"])(
    "leads nowhere for %s",
    async (wanted) => {
      const path = `/login?carried=1&returnTo=${encodeURIComponent(wanted)}`;
      const page = await visitor().post(path, NAME);
      expect([page.status, fieldsOf(formOf(page)).carried]).toEqual([200, undefined]);
    },
  );

  it("does not open from other sealed values", async () => {
    const { email, reader } = await subscriber();
    const cookie = /cap_session=([^;]+)/.exec(reader.cookie())?.[1] ?? "";
    const page = await postOn(visitor(), paths.account(), NAME);
    const [sealed = ""] = fieldsOf(formOf(page)).carried ?? [];
    const asCookie = { headers: { cookie: `cap_session=${sealed}` } };
    expect((await visitor().send(paths.account(), asCookie)).status).toBe(302);
    for (const carried of [cookie, `${sealed}x`, "", "é"]) {
      const fields = { email, password: PASSWORD, carried };
      const answer = await visitor().post(paths.login(paths.account()), fields);
      expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.account()]);
    }
  });
});
