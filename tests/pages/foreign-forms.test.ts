import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import type { PageAnswer, Visitor } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";
import { mainOf, messagesOf, openThreads } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

type Opened = { reader: Visitor; path: string };

const anybody = (path: string) => () => Promise.resolve({ reader: visitor(), path });

async function subscriber() {
  const reader = visitor();
  await subscribe(reader);
  return reader;
}

const asSubscriber = (path: string) => async () => ({ reader: await subscriber(), path });

async function firstArticle(): Promise<Opened> {
  const reader = await subscriber();
  const { dom } = await reader.get(paths.articles());
  const path = dom.querySelector("main a[href^='/article/']")?.getAttribute("href") ?? "";
  return { reader, path };
}

/** Each page that takes a post, with a visitor who may send it. */
const PAGES: [string, () => Promise<Opened>][] = [
  ...[
    paths.registration(),
    serverPaths.welcome(),
    serverPaths.registrationResult("failure"),
    paths.login(),
    paths.resetPassword(),
    serverPaths.resetPasswordUpdate("secret"),
    paths.contactNewTicket(),
    paths.contactLink(),
    paths.cancelContract(),
    serverPaths.undoCancellation("secret"),
    paths.withdrawal(),
    serverPaths.confirmWithdrawal("secret"),
    paths.logout(),
  ].map((path): [string, () => Promise<Opened>] => [path, anybody(path)]),
  ...[
    paths.account(),
    paths.accountData(),
    paths.accountSubscription(),
    paths.coachingNewDiscussion(),
  ].map((path): [string, () => Promise<Opened>] => [path, asSubscriber(path)]),
  [
    paths.registrationPayment(),
    async () => {
      const reader = visitor();
      await reachBank(reader);
      return { reader, path: paths.registrationPayment() };
    },
  ],
  ["an article", firstArticle],
  ["a ticket", async () => ({ reader: visitor(), path: (await newTicket()).path })],
  [
    "a discussion",
    async () => {
      const { member, path } = await newDiscussion();
      return { reader: member, path };
    },
  ],
  [
    "the desk",
    async () => ({ reader: await newCoach(), path: paths.deskTicket((await newTicket()).uid) }),
  ],
];

const SECRET = "secret-qui-ne-revient-pas";

/** Typed fields, and fields that no page sends. */
const FOREIGN: [string, string][] = [
  ["an index above all memory", "a[4294967294]=x"],
  ["an index of a field", "email[300000]=x&message[300000]=x"],
  ["40,000 names", "a&".repeat(40_000)],
  ["control fields of the form library", "__intent__=x&__state__=x"],
  ["names 5,000 deep", `a${".a".repeat(5_000)}=x&b${"[0]".repeat(5_000)}=x`],
  ["prototype keys", "__proto__=x&constructor.prototype=x"],
];

const post = (reader: Visitor, path: string, body: string, type = "x-www-form-urlencoded") =>
  reader.send(path, {
    method: "POST",
    headers: { "content-type": `application/${type}` },
    body,
  });

function expectThePage({ status, dom, body }: PageAnswer, what: string) {
  expect(status, what).toBe(400);
  expect(dom.querySelector("title")?.text, what).toMatch(/Erreur/);
  const told = dom.querySelectorAll("[role=alert], .flash").map(({ text }) => text);
  expect(told.join(), what).toContain("Cet envoi contient autre chose que ce formulaire");
  expect(body, what).not.toContain(SECRET);
}

describe.each(PAGES)("%s", (_, open) => {
  it("answers a foreign form with the page itself", async () => {
    const { reader, path } = await open();
    for (const [what, body] of FOREIGN) {
      const secrets = `password=${SECRET}&currentPassword=${SECRET}&cardNumber=${SECRET}`;
      expectThePage(await post(reader, path, `${secrets}&${body}`), what);
    }
    expectThePage(await post(reader, path, "email=a", "json"), "JSON");
  });
});

describe("a form with unknown entries", () => {
  it("keeps the typed values", async () => {
    const body = "email=ada%40exemple.fr&name=Ada&subject=Sujet&message=Bonjour&a[0]=x";
    const { dom } = await post(visitor(), paths.contactNewTicket(), body);
    const valueOf = (name: string) => dom.querySelector(`[name=${name}]`)?.attributes.value;
    expect([valueOf("email"), valueOf("name"), valueOf("subject")]).toEqual([
      "ada@exemple.fr",
      "Ada",
      "Sujet",
    ]);
    expect(dom.querySelector("textarea")?.text.trim()).toBe("Bonjour");
  });

  it("changes nothing even if its fields are valid", async () => {
    const email = newEmail();
    const right = new URLSearchParams({ email, password: PASSWORD, terms: "on" });
    expect((await post(visitor(), paths.registration(), `${right}&x=1`)).status).toBe(400);
    expect((await post(visitor(), paths.login(), `${right}`)).status).toBe(400);
    const signedIn = await visitor().post(paths.login(), { email, password: PASSWORD });
    expect(mainOf(signedIn)).toContain("incorrects");
    const { path } = await newTicket();
    await post(visitor(), path, "message=Encore&x=1");
    expect(messagesOf(await visitor().get(path))).toEqual(["Bonjour"]);
    const reader = await subscriber();
    for (const intent of ["end-sessions", "end-session", "name", "password"]) {
      expect((await post(reader, paths.account(), `intent=${intent}&x=1`)).status).toBe(400);
    }
    expect((await post(reader, paths.accountData(), "confirm=on&x=1")).status).toBe(400);
    expect((await post(reader, paths.accountSubscription(), "confirm=on&x=1")).status).toBe(400);
    expect((await post(reader, paths.logout(), "x=1")).status).toBe(400);
    expect((await reader.get(paths.account())).status).toBe(200);
  });

  it("is not carried through signing in", async () => {
    for (const body of ["a&".repeat(40_000), `${"a".repeat(1_000)}=x`]) {
      const page = await post(visitor(), "/login?returnTo=%2Faccount&carried=1", body);
      expect(page.html).toContain("n’a pas pu être conservé");
      expect(page.dom.querySelector("[name=carried]")).toBeNull();
    }
  });
});
