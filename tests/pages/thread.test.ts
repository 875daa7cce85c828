import { describe, expect, it } from "vitest";
import { embeddedPlatform } from "../../server/embedded";
import type { PageAnswer } from "../support/pages";
import { answerAt, faultsOf, mainOf, messagesOf, openThreads } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

/** A thread of each type, with a person who may open it. */
const KINDS = [
  [
    "ticket",
    async (message = "Bonjour") => {
      const { path, uid } = await newTicket({ message });
      return { reader: visitor(), path, uid };
    },
  ],
  [
    "discussion",
    async (message = "Bonjour") => {
      const { member, path } = await newDiscussion({ message });
      return { reader: member, path, uid: path.split("/").at(-1) ?? "" };
    },
  ],
] as const;

/** Typed messages, with the text that is shown. */
const TEXTS: [what: string, text: string, read?: string][] = [
  ["HTML", `<script>alert(1)</script><img src=x onerror="alert(1)"> &amp; <b>gras</b>`],
  ["a right-to-left override", "prix \u202Etxt.exe\u202C fin"],
  ["emoji", "Merci 👩🏽‍🚀🇫🇷 à bientôt"],
  ["line breaks", "Un\r\n\r\nDeux", "Un\n\nDeux"],
  ["a link of a script", "javascript:alert(1) data:text/html,<b>x</b> ftp://exemple.fr"],
];

describe.each(KINDS)("a %s", (_, open) => {
  it.each(TEXTS)("shows %s as plain text", async (__, text, read = text) => {
    const { reader, path } = await open();
    const answer = await reader.follow(await reader.post(path, { message: text }));
    expect(messagesOf(answer)).toEqual(["Bonjour", read]);
    const texts = answer.dom.querySelectorAll(".message__text");
    expect(texts.flatMap((one) => one.querySelectorAll("*"))).toEqual([]);
  });

  it("folds what was cut from a reply by mail, for both sides", async () => {
    const { reader, path, uid } = await open();
    const cut = "Ada <b>Byron</b>\nMes réponses en rouge";
    const { database } = await embeddedPlatform();
    const ofTicket = database
      .updateTable("ticket_message")
      .set({ trimmed: cut, trimmed_short: 1 })
      .where("ticket_uid", "=", uid);
    await ofTicket.execute();
    for (const { dom } of [await reader.get(path), await (await newCoach()).get(`/desk/${uid}`)]) {
      const fold = dom.querySelector("li.message details");
      expect(fold?.querySelector("summary")?.text).toBe("Afficher le reste de l’e‑mail");
      expect(fold?.hasAttribute("open")).toBe(false);
      expect(fold?.text).toContain("en voici le début");
      expect(fold?.querySelector(".message__trimmed")?.text.trim()).toBe(cut);
      expect(fold?.querySelector("b")).toBeNull();
    }
    await ofTicket.set({ trimmed: null, trimmed_short: null }).execute();
    expect((await reader.get(path)).dom.querySelector("li.message details")).toBeNull();
  });

  it("links addresses without trusting them", async () => {
    const { reader, path } = await open("Voyez https://exemple.fr/a?b=1&c=2 ou ada@exemple.fr.");
    const links = (await reader.get(path)).dom.querySelectorAll(".message__text a");
    expect(links.map(({ attributes: { href, rel } }) => [href, rel])).toEqual([
      ["https://exemple.fr/a?b=1&c=2", "nofollow noreferrer"],
      ["mailto:ada@exemple.fr", "nofollow noreferrer"],
    ]);
  });

  it("links twenty addresses of a message at most", async () => {
    const dense = "a@b.fr ".repeat(1_428).trim();
    const { reader, path, uid } = await open(dense);
    const [first] = (await reader.get(path)).dom.querySelectorAll("li.message");
    for (const message of [dense, dense]) await answerAt(await newCoach(), uid, message);
    const since = `${path.includes("?") ? "&" : "?"}since=${first?.id}`;
    const linksOn = ({ dom }: PageAnswer) => dom.querySelectorAll(".message__text a").length;
    const [page, newer] = [await reader.get(path), await reader.get(path + since)];
    expect([messagesOf(page), linksOn(page)]).toEqual([[dense, dense, dense], 60]);
    expect([messagesOf(newer), linksOn(newer)]).toEqual([[dense, dense], 40]);
  });

  it("shows newer messages up to its last one", async () => {
    const { reader, path, uid } = await open();
    const [first] = (await reader.get(path)).dom.querySelectorAll("li.message");
    const coach = await newCoach();
    const long = "é".repeat(10_000);
    for (let n = 1; n <= 11; n++) await answerAt(coach, uid, long);
    const joint = path.includes("?") ? "&" : "?";
    const page = await reader.get(`${path}${joint}since=${first?.id}`);
    expect(messagesOf(page)).toHaveLength(10);
    // A cursor of newer messages leads to no older ones.
    expect(page.body).not.toContain("cursor=");
    const last = page.dom.querySelectorAll("li.message").at(-1);
    expect(messagesOf(await reader.get(`${path}${joint}since=${last?.id}`))).toEqual([long]);
  });

  it.each([
    ["nothing", ""],
    ["blanks", " \n\t\u00A0 "],
    ["a zero byte", "Bon\0jour"],
    ["10,001 characters", "é".repeat(10_001)],
  ])("refuses %s as a message on its field", async (__, message) => {
    const { reader, path } = await open();
    const answer = await reader.post(path, { message });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ["message"]]);
    const given = answer.dom.querySelector("textarea")?.text ?? "";
    // HTML cannot hold a zero byte, so the returned text can be sent.
    expect(given.trim()).toBe(message.replace("\0", "").trim());
    expect(messagesOf(await reader.get(path))).toEqual(["Bonjour"]);
  });

  it("accepts 10,000 characters and refuses a megabyte", async () => {
    const { reader, path } = await open();
    const most = "é".repeat(10_000);
    const taken = await reader.follow(await reader.post(path, { message: most }));
    expect(messagesOf(taken)).toEqual(["Bonjour", most]);
    const flood = await reader.post(path, { message: "x".repeat(1024 * 1024) });
    expect(flood.status).toBe(413);
    expect(mainOf(flood)).toContain("trop");
    expect(messagesOf(await reader.get(path))).toHaveLength(2);
  });

  it("stores one reply of a form sent twice", async () => {
    const { reader, path } = await open();
    const idempotencyKey = crypto.randomUUID();
    const twice = await Promise.all(
      [1, 2].map(() => reader.post(path, { message: "Une fois", idempotencyKey })),
    );
    expect(new Set(twice.map(({ headers }) => headers.get("location"))).size).toBe(1);
    expect(messagesOf(await reader.get(path))).toEqual(["Bonjour", "Une fois"]);
  });

  it.each([
    ["closed", /clos/i, /verrouill/i],
    ["locked", /verrouillé/i, /clos/i],
  ] as const)(
    "that is %s has no form, says so, and refuses a late reply",
    async (status, words, others) => {
      const { reader, path, uid } = await open();
      await answerAt(await newCoach(), uid, "C’est réglé.", status);
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(words);
      const shown = page.dom.querySelectorAll("main .tag").at(-1)?.text.toLowerCase();
      expect(page.dom.querySelectorAll("main .notice").at(-1)?.text).toContain(
        `est ${shown}\u00A0:`,
      );
      expect(page.dom.querySelector("textarea")).toBeNull();
      const late = await reader.post(path, { message: "Encore un mot" });
      expect(late.status).toBe(400);
      expect(mainOf(late)).toMatch(words);
      expect(mainOf(late)).not.toMatch(others);
      const kept = late.dom.querySelector("textarea");
      expect(kept?.text.trim()).toBe("Encore un mot");
      expect(kept?.hasAttribute("readonly")).toBe(true);
      const [thread = path] = path.split("?");
      const actions = late.dom
        .querySelectorAll("main form")
        .filter((form) => form.querySelector("button"))
        .map((form) => form.getAttribute("action"));
      expect(actions.filter((action) => action?.startsWith(thread) ?? true)).toEqual([]);
      expect(messagesOf(await reader.get(path))).toEqual(["Bonjour", "C’est réglé."]);
    },
  );

  it("marks an answer as new until it is read", async () => {
    const { reader, path, uid } = await open();
    const list = path.replace(`/${uid}`, "");
    await answerAt(await newCoach(), uid, "Voici.");
    // Opening the page, as a mail scanner does, marks nothing.
    const page = await reader.get(path);
    expect(mainOf(await reader.get(list))).toContain("Nouvelle réponse");
    const byHand = page.dom.querySelector("noscript form");
    const until = byHand?.querySelector("[name=until]")?.getAttribute("value") ?? "";
    const told = await reader.post(byHand?.getAttribute("action") ?? "", { intent: "read", until });
    expect(mainOf(await reader.follow(told))).not.toContain("Nouvelle réponse");
    expect((await reader.get(path)).dom.querySelector("noscript form")).toBeNull();
  });

  it("counts answers as read that a reply saw", async () => {
    const { reader, path, uid } = await open();
    const list = path.replace(`/${uid}`, "");
    const coach = await newCoach();
    await answerAt(coach, uid, "Voici.");
    const page = await reader.get(path);
    const until = page.dom.querySelector("#reply [name=until]")?.getAttribute("value") ?? "";
    await reader.post(path, { message: "Merci", until });
    expect(mainOf(await reader.get(list))).not.toContain("Nouvelle réponse");
    await answerAt(coach, uid, "Encore ceci.");
    // Its page showed less: the answer that came meanwhile stays new.
    await reader.post(path, { message: "Encore merci", until });
    expect(mainOf(await reader.get(list))).toContain("Nouvelle réponse");
  });

  it("does not open with a guessed uid", async () => {
    const { reader, path, uid } = await open();
    for (const guess of [crypto.randomUUID(), "1", "..%2f..%2fetc", `${uid}%00`, "é".repeat(300)]) {
      const answer = await reader.get(path.replace(uid, guess));
      expect([guess, answer.status]).toEqual([guess, 404]);
    }
    expect(
      (await reader.post(path.replace(uid, crypto.randomUUID()), { message: "?" })).status,
    ).toBe(404);
  });
});

it.each(["cursor=%00", "cursor=..%2F", "since=%00", "since=1", "cursor=1", "after=%00"])(
  "an address that ends in %s causes no server error",
  async (query) => {
    const { path, t, uid } = await newTicket();
    const list = `/contact/tickets?t=${t}`;
    const events = `/contact/tickets/${uid}/events?t=${t}`;
    for (const address of [path, list, events]) {
      const leave = new AbortController();
      const { status } = await visitor().open(`${address}&${query}`, leave);
      leave.abort();
      expect([address, status < 500 || status === 503]).toEqual([address, true]);
    }
  },
);

describe("a ticket", () => {
  it("does not open with another person's link", async () => {
    const [mine, yours] = [await newTicket(), await newTicket()];
    const path = `/contact/tickets/${yours.uid}?t=${mine.t}`;
    const answer = await visitor().get(path);
    expect(answer.status).toBe(404);
    expect((await visitor().post(path, { message: "Coucou" })).status).toBe(404);
    expect(messagesOf(await visitor().get(yours.path))).toEqual(["Bonjour"]);
  });

  it("does not open with any session", async () => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const answer = await coach.get(`/contact/tickets/${uid}`);
    expect(answer.headers.get("location")).toBe("/contact/link");
  });

  it.each(["", "x", "%00", "a".repeat(5_000), "'; drop table ticket --"])(
    "with the secret %j leads to a new link",
    async (t) => {
      const { uid } = await newTicket();
      const reader = visitor();
      const answer = await reader.get(`/contact/tickets/${uid}?t=${t}`);
      const page = await reader.follow(answer);
      expect([answer.status, page.status]).toEqual([302, 200]);
      expect(mainOf(page).includes("Ce lien ne sert plus")).toBe(t !== "");
      expect(page.path).toMatch(/^\/contact\/link/);
      expect(page.dom.querySelector("[name=email]")).not.toBeNull();
    },
  );

  it("at the desk is closed to other visitors", async () => {
    const { uid } = await newTicket();
    const stranger = await visitor().get(`/desk/${uid}`);
    expect(stranger.headers.get("location")).toMatch(/^\/login/);
    const { member } = await newDiscussion();
    expect((await member.get(`/desk/${uid}`)).status).not.toBe(200);
  });
});
