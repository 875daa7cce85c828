import { describe, expect, it } from "vitest";
import { categories } from "~/support/categories";
import { waitForMail } from "../support/mailed";
import { newEmail, subscribe } from "../support/people";
import { answerAt, faultsOf, mainOf, openThreads, ticketFields } from "./threads";

const { visitor, dataDir, newTicket, newCoach } = openThreads();

const titlesOf = (page: { dom: { querySelectorAll(selector: string): { text: string }[] } }) =>
  page.dom.querySelectorAll(".rows > li a").map(({ text }) => text);

describe("a new ticket", () => {
  it("shows all empty fields and keeps the rest", async () => {
    const answer = await visitor().post(
      "/contact/new-ticket",
      ticketFields({ email: "  ", name: "", message: "\n", subject: "Ma carte" }),
    );
    expect([answer.status, faultsOf(answer)]).toEqual([400, ["email", "name", "message"]]);
    const { dom } = answer;
    expect(dom.querySelector("[name=subject]")?.getAttribute("value")).toBe("Ma carte");
    expect(dom.querySelector("[name=category] [selected]")?.getAttribute("value")).toBe("payment");
    expect(dom.querySelector("title")?.text).toMatch(/^Erreur/);
  });

  it.each([
    ["email", "pas une adresse"],
    ["name", "x".repeat(101)],
    ["subject", "x".repeat(121)],
    ["category", "autre-chose"],
  ])("names the field when %s is %j", async (field, value) => {
    const answer = await visitor().post("/contact/new-ticket", ticketFields({ [field]: value }));
    expect([answer.status, faultsOf(answer)]).toEqual([400, [field]]);
  });

  it("repeats the typed address once it is sent", async () => {
    const reader = visitor();
    const email = newEmail();
    const sent = await reader.post("/contact/new-ticket", ticketFields({ email }));
    expect(sent.headers.get("location")).not.toContain(encodeURIComponent(email));
    const page = await reader.follow(sent);
    expect(page.dom.querySelector("[role=status]")?.text).toContain(email);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
  });

  it("is refused when the honeypot is filled", async () => {
    const { dom } = await visitor().get("/contact/new-ticket");
    const trap = dom
      .querySelectorAll("input")
      .find(({ attributes }) => attributes.tabindex === "-1");
    const fields = ticketFields({ [trap?.getAttribute("name") ?? ""]: "Robot" });
    expect((await visitor().post("/contact/new-ticket", fields)).status).toBe(400);
  });

  it("of somebody signed in is in the file of their data", async () => {
    const member = visitor();
    await subscribe(member);
    const fields = ticketFields({ message: "Écrit en étant connecté" });
    await member.post("/contact/new-ticket", fields);
    const { text } = await waitForMail({ dataDir }, fields.email, "bien reçu");
    const [path = ""] = /\/contact\/tickets\/[\w-]+\?t=[\w-]+/.exec(text) ?? [];
    await member.post(path, { message: "Répondu en étant connecté" });
    const file = await member.get("/account/export");
    expect(file.body).toContain("Écrit en étant connecté");
    expect(file.body).toContain("Répondu en étant connecté");
  });

  it("shows its category apart from its title", async () => {
    const { path } = await newTicket({ subject: "[urgent]: ma carte", category: "payment" });
    const { dom } = await visitor().get(path);
    expect(dom.querySelector("h1")?.text).toBe("[urgent]: ma carte");
    expect(dom.querySelector(".tag")?.text).toBe("Paiement");
  });

  it("accepts each category that its form offers", async () => {
    const form = await visitor().get("/contact/new-ticket");
    const options = form.dom.querySelectorAll("select[name=category] option");
    expect(options.length).toBe(categories.length + 1);
    for (const option of options) {
      const { path } = await newTicket({ category: option.attributes.value ?? "" });
      const words = (await visitor().get(path)).dom
        .querySelectorAll(".tag")
        .map(({ text }) => text);
      expect(words.includes(option.text)).toBe(option.attributes.value !== "");
    }
  });

  it("is created once by a form sent twice", async () => {
    const email = newEmail();
    const fields = ticketFields({ email, idempotencyKey: crypto.randomUUID() });
    await Promise.all([1, 2].map(() => visitor().post("/contact/new-ticket", fields)));
    const { text } = await waitForMail({ dataDir }, email, "bien reçu");
    const [, t] = /\?t=([\w-]+)/.exec(text) ?? [];
    expect(titlesOf(await visitor().get(`/contact/tickets?t=${t}`))).toEqual([fields.subject]);
  });
});

describe("the list of tickets", () => {
  it("pages newest first and keeps the link's secret", async () => {
    const email = newEmail();
    const subjects = Array.from({ length: 11 }, (_, index) => `Demande ${index + 1}`);
    const { t } = await newTicket({ email, subject: subjects[0] ?? "" });
    for (const subject of subjects.slice(1)) {
      await visitor().post("/contact/new-ticket", ticketFields({ email, subject }));
    }
    const reader = visitor();
    const first = await reader.get(`/contact/tickets?t=${t}`);
    const more = first.dom.querySelector("a[href*='after=']")?.attributes.href ?? "";
    const second = await reader.get(more);
    expect([...titlesOf(first), ...titlesOf(second)]).toEqual(subjects.toReversed());
    for (const { attributes } of first.dom.querySelectorAll("main a")) {
      if (attributes.href?.startsWith("/contact/tickets")) expect(attributes.href).toContain(t);
    }
  });

  it("is filtered by status and ignores unknown ones", async () => {
    const email = newEmail();
    const { uid, t } = await newTicket({ email, subject: "Réglée" });
    await visitor().post("/contact/new-ticket", ticketFields({ email, subject: "Ouverte" }));
    await answerAt(await newCoach(), uid, "C’est fait.", "closed");
    const listed = async (status: string) =>
      titlesOf(await visitor().get(`/contact/tickets?t=${t}&status=${status}`));
    expect(await listed("active")).toEqual(["Ouverte"]);
    expect(await listed("closed")).toEqual(["Réglée"]);
    expect(await listed("locked")).toEqual([]);
    expect((await listed("bizarre")).sort()).toEqual(["Ouverte", "Réglée"]);
    const { dom } = await visitor().get(`/contact/tickets?t=${t}`);
    const filters = dom.querySelectorAll("main .chips a").map(({ text }) => text);
    expect(filters).toEqual(["Toutes", "En cours", "Closes", "Verrouillées"]);
  });

  it("has a button that disables the mailed links", async () => {
    const { t, path } = await newTicket();
    const list = `/contact/tickets?t=${t}`;
    const reader = visitor();
    const { dom } = await reader.get(list);
    const form = dom.querySelector("main form[method=post]");
    expect(form?.attributes.action).toBe(list);
    expect(form?.querySelector("button")?.text).toBe("Désactiver tous mes liens");
    expect((await visitor().get(path)).status).toBe(200);
    const posted = await reader.post(list, {});
    const confirmation = "/contact/link?revoked=1";
    expect([posted.status, posted.headers.get("location")]).toEqual([303, confirmation]);
    expect(posted.headers.getSetCookie()).not.toEqual([]);
    // Also to a browser that refuses cookies.
    const confirmed = await visitor().get(confirmation);
    expect(confirmed.dom.querySelector("[role=status]")?.text).toContain(
      "Vos liens sont désactivés",
    );
    expect((await reader.follow(posted)).dom.querySelectorAll("[role=status]")).toHaveLength(1);
    expect(confirmed.dom.querySelector("main form [name=email]")).not.toBeNull();
    for (const worn of [list, path]) {
      const answer = await visitor().get(worn);
      expect(answer.headers.get("location")).toBe("/contact/link?worn=1");
    }
    expect((await reader.post(list, {})).headers.get("location")).toBe("/contact/link?worn=1");
  });

  it("disables no links for a stranger's secret", async () => {
    const { t } = await newTicket();
    for (const query of ["", `?t=${"x".repeat(43)}`]) {
      const answer = await visitor().post(`/contact/tickets${query}`, {});
      expect(answer.headers.get("location")).toMatch(/^\/contact\/link/);
    }
    expect((await visitor().get(`/contact/tickets?t=${t}`)).status).toBe(200);
  });

  it("without the mailed secret leads to a new link", async () => {
    const answer = await visitor().get("/contact/tickets");
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "/contact/link"]);
  });
});

describe("the request for a new link", () => {
  it("gets the same answer for any address", async () => {
    const { email } = await newTicket();
    const answers = await Promise.all(
      [email, newEmail("personne")].map(async (address) => {
        const reader = visitor();
        const sent = await reader.post("/contact/link", { email: address });
        const told = mainOf(await reader.follow(sent));
        expect(told).toContain(`Adresse indiquée\u00a0: ${address}`);
        return told.replace(address, "");
      }),
    );
    expect(answers[0]).toContain("Regardez vos e\u2011mails");
    expect(answers[1]).toBe(answers[0]);
    expect((await waitForMail({ dataDir }, email, "lien")).text).toMatch(/\/contact\/tickets\?t=/);
  });

  it("shows a faulty address at its field", async () => {
    const answer = await visitor().post("/contact/link", { email: "ada@" });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ["email"]]);
    expect(answer.dom.querySelector("[name=email]")?.getAttribute("value")).toBe("ada@");
  });
});

it("the contact page's links keep the secret", async () => {
  const { t } = await newTicket();
  const hrefs = async (path: string) =>
    (await visitor().get(path)).dom.querySelectorAll("main a").map((link) => link.attributes.href);
  expect(await hrefs("/contact")).toEqual(
    expect.arrayContaining(["/contact/new-ticket", "/contact/link", "/registration"]),
  );
  expect(await hrefs(`/contact?t=${t}`)).toEqual(
    expect.arrayContaining([`/contact/new-ticket?t=${t}`, `/contact/tickets?t=${t}`]),
  );
});
