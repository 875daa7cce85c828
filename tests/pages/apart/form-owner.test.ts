import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { endpoints } from "~/contract/endpoints";
import { paths } from "~/paths";
import { tokenOf } from "../../app/people";
import { openPages, SITE, type Fields, type PageAnswer, type Visitor } from "../../support/pages";
import { openLyingApi } from "../lying-api";
import { ACL, FORMS, isMembersButton, lostFields, type Person } from "../posted-forms";

const api = await openLyingApi(() => {});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

/** Reference data is held for a minute: each request comes after it. */
let now = Date.now();
beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"], now }));
afterEach(() => void vi.setSystemTime((now += 61_000)));
afterAll(() => vi.useRealTimers());

type Role = Exclude<Person, "nobody">;

/** Signed in with a role, or nobody at all. */
async function readerOf(uid: string, role: Role): Promise<Visitor> {
  const reader = visitor();
  api.tell();
  api.signIn(tokenOf(uid, { uid, identifier: `${uid}@exemple.fr`, acl: ACL[role] }));
  await reader.post(paths.login(), { email: `${uid}@exemple.fr`, password: "un mot de passe" });
  return reader;
}

/** A form of any page tells it; this one stands open to all. */
async function markOf(reader: Visitor): Promise<string> {
  const page = await reader.get(paths.cancelContract());
  const mark = page.dom.querySelector("main form [name=owner]")?.getAttribute("value");
  if (mark === undefined) throw new Error("The form has no mark");
  return mark;
}

const roleOf = (person: Person): Role => (person === "nobody" ? "member" : person);

/** Signing in says whose it is by itself. */
const OWNED = FORMS.filter(([, path]) => path !== paths.login());

const OTHERS = [
  ["somebody else", "Votre session est celle d’un autre compte (bea@exemple.fr)"],
  ["a stranger", "Vous avez ouvert une session après cette page (bea@exemple.fr)"],
] as const;

const NOTHING_SENT = "rien n’a été envoyé";

async function send(reader: Visitor, path: string, fields: Fields): Promise<PageAnswer> {
  api.tell();
  return reader.post(path, fields);
}

/** A preview is asked by POST to keep its secret out of addresses. */
const READ_BY_POST = /^preview|^check(?:Email|Password|Release)Link$/;

const writes = () =>
  [...api.calls.keys()].filter(
    (call) => endpoints[call].method !== "GET" && !READ_BY_POST.test(call),
  );

const told = ({ dom }: PageAnswer) =>
  dom.querySelectorAll("[role=alert]").map(({ text }) => text.replaceAll("\u00a0", " "));

describe.each(OTHERS)("a form made for %s", (owner, sentence) => {
  it.each(OWNED)("is not accepted from %s at %s: %j", async (person, path, fields) => {
    const role = roleOf(person);
    const mark = owner === "a stranger" ? "" : await markOf(await readerOf("ada", role));
    const bea = await readerOf("bea", role);
    const sent = await send(bea, path, { ...fields, owner: mark });
    expect(writes()).toEqual([]);
    // Who has nothing to do on the page is sent on, and told there.
    const isShown = sent.status < 300 || sent.status >= 400;
    const page = isShown ? sent : await bea.follow(sent);
    expect(page.status).toBe(isShown ? 409 : 200);
    expect(told(page).join()).toContain(sentence);
    expect(told(page).join()).toContain(NOTHING_SENT);
    if (isShown && !isMembersButton(page.dom)) {
      const { confirm: _, terms: __, ...typed } = fields;
      // The order of a visitor asks for an account, which somebody signed in has.
      const isOrder = person === "nobody" && "cardNumber" in fields;
      expect(lostFields(page.dom, typed)).toEqual(isOrder ? ["email"] : []);
    }
    expect(page.dom.querySelectorAll("main form [type=checkbox][checked]")).toEqual([]);
    if (isShown) expect(page.dom.querySelector("title")?.text).toMatch(/^Erreur/);
    expect(page.body).not.toMatch(/un mot de passe|un autre passe|4242|ada@exemple\.fr\)/);
    const own = await markOf(bea);
    const marks = page.dom.querySelectorAll("main form [name=owner]");
    expect(marks.map((input) => input.getAttribute("value"))).toEqual(marks.map(() => own));
  });
});

/** Orders. A subscriber, who is sold nothing, is led away from their forms. */
const ORDERS = OWNED.filter(
  ([person, , { intent }]) => person === "member" && (intent === "pay" || intent === "link"),
);

it.each(ORDERS)("an order of %s at %s is no subscriber's: %j", async (_, path, fields) => {
  const owner = await markOf(await readerOf("ada", "member"));
  const bea = await readerOf("bea", "subscriber");
  const sent = await send(bea, path, { ...fields, owner });
  expect(writes()).toEqual([]);
  const page = await bea.follow(sent);
  expect(page.path).toBe(paths.account());
  expect(told(page).join()).toContain(NOTHING_SENT);
  expect(page.html).not.toContain("n’a plus rien à payer");
});

it.each(OWNED)("the own form of %s at %s is accepted: %j", async (person, path, fields) => {
  const role = roleOf(person);
  const reader = await readerOf("ada", role);
  const mark = await markOf(reader);
  const answers = [];
  for (const form of [fields, { ...fields, owner: mark }]) {
    vi.setSystemTime((now += 61_000));
    const again = await readerOf("ada", role);
    const { status, headers } = await send(again, path, form);
    answers.push([status, headers.get("location"), writes()]);
  }
  expect(answers[1]).toEqual(answers[0]);
});

describe("after signing out", () => {
  const [own, open] = [
    OWNED.filter(([person]) => person !== "nobody"),
    OWNED.filter(([person]) => person === "nobody"),
  ];

  it.each(own)("the form of a %s at %s waits for sign-in: %j", async (person, path, fields) => {
    const owner = await markOf(await readerOf("ada", roleOf(person)));
    const answer = await send(visitor(), path, { ...fields, owner });
    expect(writes()).toEqual([]);
    // Buttons of open pages that order nothing lead back to their page.
    if (/^(?:correct|restart|keep)$/.test(String(fields.intent)))
      return expect(answer.status).toBe(303);
    const waiting = await carry(visitor(), answer, { ...fields, owner });
    expect(waiting.status).toBe(200);
    // A result page is nowhere to go back to, and its button holds nothing that was typed.
    if (fields.intent !== "retry") {
      expect(waiting.dom.querySelector("[name=carried]")).not.toBeNull();
    }
  });

  it.each(open)("a form for %s at %s is accepted: %j", async (_, path, fields) => {
    const owner = await markOf(await readerOf("ada", "member"));
    const answers = [];
    for (const form of [fields, { ...fields, owner }]) {
      vi.setSystemTime((now += 61_000));
      const { status, headers } = await send(visitor(), path, form);
      answers.push([status, headers.get("location"), writes()]);
    }
    expect(answers[1]).toEqual(answers[0]);
  });

  it("a waiting form returns to its owner only", async () => {
    const fields = { name: "Léa", intent: "name" };
    const owner = await markOf(await readerOf("ada", "subscriber"));
    for (const [uid, isBack] of [
      ["bea", false],
      ["ada", true],
    ] as const) {
      const reader = visitor();
      const answer = await send(reader, paths.account(), { ...fields, owner });
      const waiting = await carry(reader, answer, { ...fields, owner });
      const carried = waiting.dom.querySelector("[name=carried]")?.getAttribute("value") ?? "";
      const identifier = `${uid}@exemple.fr`;
      api.signIn(tokenOf(uid, { uid, identifier, acl: ACL.subscriber }));
      const credentials = { email: identifier, password: "un mot de passe", carried };
      const back = await reader.post(paths.login(), credentials);
      expect(back.html.includes("Léa")).toBe(isBack);
      if (!isBack) continue;
      const again = back.dom.querySelectorAll("main form input");
      const entries = again.map((input): [string, string] => [
        input.getAttribute("name") ?? "",
        input.getAttribute("value") ?? "",
      ]);
      expect(entries).toEqual([...new Map(entries)]);
      const shown = await send(reader, paths.account(), Object.fromEntries(entries));
      expect(shown.status).toBe(200);
      expect(writes()).toEqual([]);
    }
  });
});

/** A browser sends the body again where a 307 leads. */
function carry(reader: Visitor, answer: PageAnswer, fields: Fields) {
  expect(answer.status).toBe(307);
  const { pathname, search } = new URL(answer.headers.get("location") ?? "", SITE);
  return reader.post(pathname + search, fields);
}

describe("the mark of a form", () => {
  /** Pages of which every visitor gets the same. */
  const OPEN = [paths.cancelContract(), paths.login(), paths.resetPassword(), paths.contactLink()];

  it.each(OPEN)("is empty for strangers at %s", async (path) => {
    const marks = (await visitor().get(path)).dom.querySelectorAll("main [name=owner]");
    expect(marks.map((input) => input.getAttribute("value"))).toEqual([""]);
  });

  it("reveals nothing about the person", async () => {
    const [ada, again, bea] = [
      await markOf(await readerOf("ada", "member")),
      await markOf(await readerOf("ada", "subscriber")),
      await markOf(await readerOf("bea", "member")),
    ];
    expect(ada).toMatch(/^[\w-]{22}$/);
    expect(again).toBe(ada);
    expect(bea).not.toBe(ada);
  });

  it("does not keep anybody from signing out", async () => {
    const bea = await readerOf("bea", "member");
    const answer = await send(bea, paths.logout(), { owner: "of somebody else" });
    expect(answer.headers.get("location")).toBe(paths.home());
    expect((await bea.get(paths.logout())).body).not.toContain("bea@exemple.fr");
  });

  it.each(FORMS)("is part of each posted form for %s at %s", async (person, path) => {
    const reader = person === "nobody" ? visitor() : await readerOf("ada", person);
    const { dom } = await reader.get(path);
    const forms = dom.querySelectorAll("main form[method=post]");
    expect(forms.filter((form) => !form.querySelector("[name=owner]"))).toEqual([]);
  });
});

it("the refusal of an ended session names nobody", async () => {
  const bea = await readerOf("bea", "member");
  api.tell({ call: "getUser", how: 401 });
  const form = { name: "Ada", email: "x@exemple.fr", intent: "recap", owner: "of somebody else" };
  const answer = await bea.post(paths.cancelContract(), form);
  expect(answer.status).toBe(200);
  expect(answer.body).not.toContain("bea@exemple.fr");
});

it("a refusal names nobody while the API fails", async () => {
  const bea = await readerOf("bea", "member");
  api.tell({ call: "getUser", how: 503 });
  const form = { name: "Ada", email: "x@exemple.fr", intent: "recap", owner: "of somebody else" };
  const answer = await bea.post(paths.cancelContract(), form);
  expect(answer.status).toBe(409);
  expect(told(answer).join()).toContain("Cette page était faite pour un autre compte");
  expect(answer.body).not.toContain("bea@exemple.fr");
});
