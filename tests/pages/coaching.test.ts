import { describe, expect, it } from "vitest";
import opening from "~/locales/fr/opening.json";
import { OPENINGS } from "~/support/openings";
import { embeddedPlatform } from "../../server/embedded";
import type { PageAnswer } from "../support/pages";
import { newEmail, reachBank, subscribe } from "../support/people";
import { faultsOf, mainOf, openThreads } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

const NEW = "/coaching/new-discussion";

async function newMember() {
  const member = visitor();
  await subscribe(member);
  return member;
}

const typed = ({ dom }: Awaited<ReturnType<ReturnType<typeof visitor>["get"]>>) => ({
  name: dom.querySelector("[name=name]")?.getAttribute("value"),
  subject: dom.querySelector("[name=subject]")?.getAttribute("value"),
  message: dom.querySelector("[name=message]")?.text.trim(),
});

describe("coaching", () => {
  it("offers no filter before the first discussion", async () => {
    const { dom } = await (await newMember()).get("/coaching");
    expect(dom.querySelectorAll('main .chip[href="/coaching"]')).toHaveLength(0);
    const { member } = await newDiscussion();
    const list = await member.get("/coaching");
    const filters = list.dom.querySelectorAll("main .chips a").map(({ text }) => text);
    expect(filters).toEqual(["Tous", "En cours", "Clos", "Verrouillés"]);
    const none = await member.get("/coaching?status=closed");
    expect(none.dom.querySelectorAll("main .chips a")).not.toEqual([]);
  });

  it.each(["/coaching", NEW, `/coaching/${crypto.randomUUID()}`])(
    "%s is for subscribers only",
    async (path) => {
      const stranger = visitor();
      const login = `/login?returnTo=${encodeURIComponent(path)}`;
      expect((await stranger.get(path)).headers.get("location")).toBe(login);
      await reachBank(stranger, newEmail());
      expect((await stranger.get(path)).headers.get("location")).toBe(login);
    },
  );

  it.each(["/coaching", "the thread"])(
    "leads to the subscription as soon as it has ended, from %s",
    async (place) => {
      const { member, path } = await newDiscussion();
      const { database } = await embeddedPlatform();
      const ended = "2026-01-01T00:00:00.000Z";
      await database
        .updateTable("subscription")
        .set({ expires_at: ended, ended_at: ended })
        .execute();
      const address = place === "the thread" ? path : place;
      const login = `/login?returnTo=${encodeURIComponent(address)}`;
      const answer = await member.get(address);
      expect([answer.status, answer.headers.get("location")]).toEqual([302, login]);
      expect(mainOf(await member.follow(answer))).toContain("abonn");
      const late = await member.post(NEW, { subject: "Mon thème", message: "Bonjour" });
      expect(late.headers.get("location")).toMatch(/^\/login/);
    },
  );

  it("says of a filter that finds nothing that others may", async () => {
    const { member } = await newDiscussion();
    const shown = async (path: string) => mainOf(await member.get(path));
    expect(await shown("/coaching?status=closed")).toContain("Rien pour ce choix");
    expect(await shown("/coaching?status=closed")).not.toContain("Votre premier échange");
    const other = await newMember();
    expect(mainOf(await other.get("/coaching"))).toContain("Votre premier échange");
  });

  it("shows no contact tickets and opens with no mailed link", async () => {
    const { t } = await newTicket();
    const { member, path } = await newDiscussion();
    expect(mainOf(await member.get("/coaching"))).toContain("Mon thème");
    const uid = path.split("/").at(-1);
    expect((await visitor().get(`/contact/tickets/${uid}?t=${t}`)).status).toBe(404);
    expect((await visitor().get(`${path}?t=${t}`)).status).toBe(302);
  });

  it("keeps one subscriber's discussion from another", async () => {
    const { path } = await newDiscussion();
    const other = await newMember();
    expect((await other.get(path)).status).toBe(404);
    expect((await other.post(path, { message: "Bonjour" })).status).toBe(404);
  });
});

describe("the beginning of a discussion", () => {
  const BIRTH = "3 mars 1987 vers 14 h, Brest";
  const linksOf = ({ dom }: PageAnswer) =>
    dom
      .querySelectorAll(`main nav a[href^="${NEW}"]`)
      .map((link) => link.getAttribute("href") ?? "");

  it.each(["/coaching", NEW])("is offered in three ways at %s", async (path) => {
    const member = await newMember();
    const links = linksOf(await member.get(path));
    expect(links).toEqual(OPENINGS.map((about) => `${NEW}?about=${about}`));
    for (const [index, link] of links.entries()) {
      const { subject, message } = typed(await member.get(link));
      const words = opening[OPENINGS[index] ?? "chart"];
      expect([subject, message]).toEqual([words.subject, words.message.trim()]);
    }
  });

  it.each(["", "zzz", "toString", "chart.message", "%00", "Bonjour"])(
    "brings no text of the address: about=%s",
    async (about) => {
      const member = await newMember();
      const page = await member.get(`${NEW}?about=${about}&subject=Salut&message=Salut`);
      expect([page.status, typed(page)]).toMatchObject([200, { subject: undefined, message: "" }]);
    },
  );

  it("is not offered to somebody who has begun", async () => {
    const member = await newMember();
    const refused = await member.post(NEW, { subject: "Mon thème", message: "" });
    expect([refused.status, linksOf(refused)]).toEqual([400, []]);
    expect(typed(refused)).toMatchObject({ subject: "Mon thème" });
    const { member: other } = await newDiscussion();
    expect(linksOf(await other.get("/coaching"))).toEqual([]);
  });

  it("tells when an answer usually comes, once the platform knows", async () => {
    const member = await newMember();
    for (const path of ["/coaching", NEW])
      expect(mainOf(await member.get(path))).not.toContain("en général");
    const { member: other, path } = await newDiscussion();
    const { database } = await embeddedPlatform();
    const row = await database
      .selectFrom("ticket")
      .selectAll()
      .where("uid", "=", path.split("/").at(-1) ?? "")
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 10 }, (_, n) => ({
      ...row,
      uid: `copy-${n}`,
      account_uid: "nobody",
      creation_key: null,
      first_answered_at: new Date(Date.parse(row.created_at) + 4.2 * 3_600_000).toISOString(),
    }));
    await database.insertInto("ticket").values(copies).execute();
    const told = "Une réponse vient souvent sous 5\u00a0heures.";
    for (const page of ["/coaching", NEW]) expect(mainOf(await member.get(page))).toContain(told);
    expect(mainOf(await other.get(NEW))).toContain(told);
    expect(mainOf(await other.get("/coaching"))).not.toContain("en général");
  });

  it("may tell a birth, which its person and the coach read on top", async () => {
    const { member, path } = await newDiscussion({ birth: BIRTH });
    expect(mainOf(await member.get(path))).toContain(`Naissance\u00a0: ${BIRTH}`);
    const uid = path.split("/").at(-1);
    const atDesk = mainOf(await (await newCoach()).get(`/desk/${uid}`));
    expect(atDesk).toContain(`Naissance\u00a0: ${BIRTH}`);
    expect(atDesk.indexOf(BIRTH)).toBeLessThan(atDesk.indexOf("Que dit mon ascendant"));
    const without = await newDiscussion();
    expect(mainOf(await without.member.get(without.path))).not.toContain("Naissance");
  });

  it("keeps a birth that was typed in a refused form", async () => {
    const member = await newMember();
    const field = ({ dom }: PageAnswer) => dom.querySelector("[name=birth]");
    const { dom } = await member.get(NEW);
    expect(dom.querySelector("label[for=discussion-birth]")?.text).toBe(opening.birth.label);
    const refused = await member.post(NEW, { subject: "", message: "Bonjour", birth: BIRTH });
    expect([refused.status, field(refused)?.getAttribute("value")]).toEqual([400, BIRTH]);
    const long = { subject: "Mon thème", message: "Bonjour", birth: "x".repeat(121) };
    expect(faultsOf(await member.post(NEW, long))).toEqual(["birth"]);
  });
});

describe("the name in coaching", () => {
  it("is asked once and shown on the account", async () => {
    const member = await newMember();
    const asks = async () => typed(await member.get(NEW)).name !== undefined;
    const named = (await member.get(NEW)).dom.querySelector("[name=name]");
    expect(named).not.toBeNull();
    const answer = await member.post(NEW, { name: "Zoé", intent: "name" });
    expect(answer.headers.get("location")).toBe(NEW);
    expect((await member.get(NEW)).dom.querySelector("[name=name]")).toBeNull();
    expect(await asks()).toBe(false);
    const account = await member.get("/account");
    expect(account.dom.querySelector("[name=name]")?.getAttribute("value")).toBe("Zoé");
  });

  it("keeps the message that is being written", async () => {
    const member = await newMember();
    const written = { subject: "Mon thème", message: "Que dit\nmon ascendant ?" };
    for (const name of ["", " ", "...", "12", "<b>Zoé</b>"]) {
      const refused = await member.post(NEW, { name, intent: "name" });
      expect([name, refused.status, faultsOf(refused)]).toEqual([name, 400, ["name"]]);
    }
    const answer = await member.post(NEW, { name: "Zoé", intent: "name", ...written });
    expect(answer.status).toBe(200);
    expect(typed(answer)).toEqual({ name: undefined, ...written });
  });

  it("is saved with the first discussion", async () => {
    const member = await newMember();
    const written = { subject: "Mon thème", message: "Bonjour" };
    const sent = await member.post(NEW, { name: "Zoé", ...written });
    expect(sent.headers.get("location")).toMatch(/^\/coaching\/[\w-]+$/);
    expect(typed(await member.get(NEW)).name).toBeUndefined();
  });

  it("that is too long is shown among other errors", async () => {
    const member = await newMember();
    const answer = await member.post(NEW, {
      name: "z".repeat(500),
      subject: "Mon thème",
      message: "",
    });
    expect([answer.status, faultsOf(answer)]).toEqual([400, ["name", "message"]]);
    expect(typed(answer)).toMatchObject({ subject: "Mon thème" });
  });

  it("can be given later, by a link on the page", async () => {
    const member = await newMember();
    const later = (await member.get(NEW)).dom.querySelector("#name-dialog a");
    expect(later?.text).toBe("Plus tard");
    const page = await member.get(later?.getAttribute("href") ?? "");
    expect(page.status).toBe(200);
    expect(page.dom.querySelector("[name=name]")).toBeNull();
    expect(page.dom.querySelector("[name=message]")).not.toBeNull();
    expect((await member.get(NEW)).dom.querySelector("[name=name]")).not.toBeNull();
  });

  it("is optional when Enter sends the discussion", async () => {
    const member = await newMember();
    const begun = { name: "", intent: "name", subject: "Mon thème", consent: "on" };
    expect(faultsOf(await member.post(NEW, { ...begun, message: "" }))).toEqual(["message"]);
    const sent = await member.post(NEW, { ...begun, message: "Bonjour" });
    expect(sent.headers.get("location")).toMatch(/^\/coaching\/[\w-]+$/);
  });
});

describe("the consent to sensitive information", () => {
  const DATA = "/account/data";
  const written = { subject: "Mon thème", message: "Que dit mon ascendant ?", intent: "send" };
  const boxOf = ({ dom }: Awaited<ReturnType<ReturnType<typeof visitor>["get"]>>) =>
    dom.querySelector("[name=consent]");

  it("is asked by a box that nobody ticked", async () => {
    const member = await newMember();
    const page = await member.get(NEW);
    expect(boxOf(page)?.hasAttribute("checked")).toBe(false);
    expect(boxOf(page)?.hasAttribute("required")).toBe(true);
    expect(mainOf(page)).toContain("J’accepte que Cap Céleste traite les informations sensibles");
  });

  it("is required to send the page's form", async () => {
    const member = await newMember();
    const refused = await member.post(NEW, written);
    expect([refused.status, faultsOf(refused)]).toEqual([400, ["consent"]]);
    expect(typed(refused)).toMatchObject({ subject: "Mon thème", message: written.message });
    expect(boxOf(refused)?.hasAttribute("checked")).toBe(false);
    const sent = await member.post(NEW, { ...written, consent: "on" });
    expect(sent.headers.get("location")).toMatch(/^\/coaching\/[\w-]+$/);
  });

  it("is named with all else that is missing", async () => {
    const member = await newMember();
    const empty = { name: "", subject: "", message: "", intent: "send" };
    const refused = await member.post(NEW, empty);
    expect([refused.status, faultsOf(refused)]).toEqual([400, ["subject", "message", "consent"]]);
    await member.post(NEW, { ...written, consent: "on" });
    expect(faultsOf(await member.post(NEW, empty))).toEqual(["subject", "message"]);
  });

  it("is asked once", async () => {
    const member = await newMember();
    await member.post(NEW, { ...written, consent: "on" });
    expect(boxOf(await member.get(NEW))).toBeNull();
    const sent = await member.post(NEW, written);
    expect(sent.headers.get("location")).toMatch(/^\/coaching\/[\w-]+$/);
  });

  it("is not required from a script posting the texts alone", async () => {
    const { member, path } = await newDiscussion();
    expect(path).toMatch(/^\/coaching\/[\w-]+$/);
    expect(boxOf(await member.get(NEW))).not.toBeNull();
  });

  it.each([
    [{}, "clos", 200],
    [{ erase: "on" }, "effacés", 404],
  ])("is revoked on the account data page: %o", async (fields, told, status) => {
    const member = await newMember();
    expect((await member.get(DATA)).dom.querySelector("#consent-panel")).toBeNull();
    const sent = await member.post(NEW, { ...written, consent: "on" });
    const thread = sent.headers.get("location") ?? "";
    expect((await member.get(DATA)).dom.querySelector("#consent-panel")?.text).toContain(
      "vos échanges sont clos",
    );
    const page = await member.follow(await member.post(DATA, { intent: "take-back", ...fields }));
    expect(page.html).toContain(`vos échanges sont ${told}`);
    expect(page.dom.querySelector("#consent-panel")).toBeNull();
    const left = await member.get(thread);
    expect([left.status, left.dom.querySelector("[name=message]")]).toEqual([status, null]);
    expect(boxOf(await member.get(NEW))).not.toBeNull();
  });
});
