import { describe, expect, it } from "vitest";
import { DESK_STATUSES, FILTER_STATUSES, type TicketStatus } from "~/contract/ticket-status";
import desk from "~/locales/fr/desk.json";
import flash from "~/locales/fr/flash.json";
import { paths } from "~/paths";
import { embeddedPlatform } from "../../server/embedded";
import { read } from "../architecture/sources";
import type { PageAnswer, Visitor } from "../support/pages";
import { PASSWORD } from "../support/people";
import { answerAt, mainOf, messagesOf, openThreads } from "./threads";

const { visitor, newTicket, newDiscussion, newCoach } = openThreads();

const versionOf = async (coach: Visitor, uid: string) =>
  (await coach.get(`/desk/${uid}`)).dom.querySelector("[name=version]")?.attributes.value ?? "";

/** The choice that leaves the status of a ticket as it is. */
const unchanged = (status: TicketStatus) => `Ne pas changer (${desk.status[status]})`;

describe("the desk", () => {
  it("is for coaches only", async () => {
    const { uid } = await newTicket();
    const { member } = await newDiscussion();
    for (const person of [visitor(), member]) {
      for (const path of ["/desk", `/desk/${uid}`]) {
        expect((await person.get(path)).headers.get("location")).toMatch(/^\/login/);
        const posted = await person.post(path, { message: "Bonjour", status: "closed" });
        expect(posted.status).toBeGreaterThan(300);
      }
    }
    expect(messagesOf(await (await newCoach()).get(`/desk/${uid}`))).toEqual(["Bonjour"]);
  });

  it.each(["/desk", "the ticket"])("sends a former coach away from %s", async (place) => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const { database } = await embeddedPlatform();
    await database.deleteFrom("account_role").execute();
    const answer = await coach.get(place === "/desk" ? place : `/desk/${uid}`);
    expect([answer.status, answer.headers.get("location")?.slice(0, 6)]).toEqual([302, "/login"]);
    expect((await coach.post(`/desk/${uid}`, { message: "Encore moi" })).status).toBe(307);
  });

  it("is opened again by an invitation after a deletion", async () => {
    const coach = mainOf(await (await newCoach()).get(paths.accountData()));
    expect(coach).toContain("Pour revenir au bureau, il faudra une nouvelle invitation.");
    expect(coach).not.toContain("inscrire de nouveau");
    const { member } = await newDiscussion();
    expect(mainOf(await member.get(paths.accountData()))).toContain("inscrire de nouveau");
  });

  it("finds tickets by words, or says none match", async () => {
    const word = `comète${Date.now()}`;
    const { uid } = await newTicket({ message: `J’ai vu une ${word} hier` });
    const coach = await newCoach();
    const found = await coach.get(`/desk?q=${encodeURIComponent(word.toUpperCase())}`);
    expect(found.dom.querySelectorAll("[data-desk-rows] a").map((a) => a.attributes.href)).toEqual([
      `/desk/${uid}#latest`,
    ]);
    const nothing = mainOf(await coach.get(`/desk?q=${word}x`));
    expect(nothing).toMatch(new RegExp(`Aucune demande ne contient «\\s${word}x\\s»`));
    expect(nothing).not.toMatch(/Rien à faire ici|Le ciel est dégagé/);
  });

  it("searches in all states until one is chosen", async () => {
    const word = `éclipse${Date.now()}`;
    const { uid } = await newTicket({ message: `Une ${word}` });
    const coach = await newCoach();
    await coach.post(`/desk/${uid}`, { status: "locked", version: await versionOf(coach, uid) });
    const found = async (query: string) => {
      const { dom } = await coach.get(`/desk?q=${encodeURIComponent(word)}${query}`);
      const rows = dom.querySelectorAll("[data-desk-rows] a").map((a) => a.attributes.href);
      const chosen = dom.querySelectorAll(".chip[aria-current]").map(({ text }) => text);
      return { dom, rows, chosen };
    };
    expect(await found("")).toMatchObject({
      rows: [`/desk/${uid}#latest`],
      chosen: ["Tout", "Tout", "Tout"],
    });
    expect((await found("&status=locked")).rows).toEqual([`/desk/${uid}#latest`]);
    const { dom, rows, chosen } = await found("&status=active");
    expect([rows, chosen[0]]).toEqual([[], "En cours"]);
    const kept = dom.querySelector("form[role=search] [name=status]");
    expect(kept?.getAttribute("value")).toBe("active");
    const everywhere = dom.querySelector(".empty a")?.getAttribute("href");
    expect(everywhere).toBe(`/desk?q=${encodeURIComponent(word)}`);
  });

  it("counts the tickets of a status only where its link leads to as many", async () => {
    await newTicket();
    const coach = await newCoach();
    const numbered = async (query: string) =>
      mainOf(await coach.get(`/desk${query}`)).match(/\(\d+\)/g)?.length ?? 0;
    expect(await numbered("")).toBe(FILTER_STATUSES.length);
    expect(await numbered("?type=contact")).toBe(FILTER_STATUSES.length);
    expect(await numbered("?assignee=me")).toBe(0);
    expect(await numbered("?q=rien")).toBe(0);
  });

  it("has who waits longest first, and says for how long", async () => {
    const word = `ascendant${Date.now()}`;
    const [one, two, three] = [
      await newTicket({ message: `Un ${word}` }),
      await newTicket({ message: `Deux ${word}` }),
      await newTicket({ message: `Trois ${word}` }),
    ];
    const { database } = await embeddedPlatform();
    const waits = [
      [one.uid, 12.5],
      [two.uid, 3.6 * 60],
      [three.uid, 50 * 60],
    ] as const;
    for (const [uid, minutes] of waits) {
      const since = new Date(Date.now() - minutes * 60_000).toISOString();
      await database
        .updateTable("ticket")
        .set({ waiting_since: since })
        .where("uid", "=", uid)
        .execute();
    }
    const coach = await newCoach();
    const { dom } = await coach.get(`/desk?q=${word}&status=active`);
    const rows = dom.querySelectorAll("[data-desk-rows] > li");
    expect(rows.map((row) => row.querySelector("a")?.getAttribute("href"))).toEqual(
      [three, two, one].map(({ uid }) => `/desk/${uid}#latest`),
    );
    expect(
      rows.map(({ text }) => /Attend depuis \d+\s\w+/.exec(text)?.[0]?.replace(/\s/g, " ")),
    ).toEqual(["Attend depuis 2 j", "Attend depuis 3 h", "Attend depuis 12 min"]);
  });

  it("folds its filters on small screens, and tells how many are set", async () => {
    const coach = await newCoach();
    const panelAt = async (query: string) => {
      const panel = (await coach.get(`/desk${query}`)).dom.querySelector("main .filter");
      const fold = panel?.querySelector("details");
      // The style sheet folds what follows the disclosure.
      const folded = fold?.nextElementSibling?.querySelectorAll(".chip").length ?? 0;
      return {
        isOpen: fold?.hasAttribute("open"),
        isFolded: folded > FILTER_STATUSES.length,
        count: fold?.querySelector(".filter__count")?.text,
      };
    };
    const folded = { isOpen: false, isFolded: true };
    expect(await panelAt("")).toEqual({ ...folded, count: undefined });
    const set = await panelAt("?type=contact&status=closed&assignee=me");
    expect(set).toEqual({ ...folded, count: "3" });
  });

  it("tells each shortcut of its keyboard", async () => {
    const { dom } = await (await newCoach()).get("/desk");
    const help = dom.querySelectorAll("main details").at(-1)?.text ?? "";
    const keys = read("app/support/use-desk-keys.ts").matchAll(/key (?:===|!==) "(.)"/g);
    const known = new Set([...keys].map(([, key = ""]) => key));
    expect([...known].sort()).toEqual(["/", "j", "k", "r", "u"]);
    for (const key of known) expect(help).toContain(/[jk]/.test(key) ? "j et k" : `${key}\u00a0:`);
  });

  it("leads to its next page by a plain link", async () => {
    // React draws the list anew: rows that a script appends would be lost.
    const word = `nébuleuse${Date.now()}`;
    for (let n = 0; n < 11; n++) await newTicket({ message: `Une ${word}, la ${n}e` });
    const { dom } = await (await newCoach()).get(`/desk?q=${encodeURIComponent(word)}`);
    expect(dom.querySelectorAll("[data-desk-rows] > li")).toHaveLength(10);
    expect(dom.querySelector("main a[rel=next]")).not.toBeNull();
    expect(dom.querySelector("[data-load-more], [data-more-into]")).toBeNull();
  });

  it.each(["status=zzz", "type=%00", "assignee=someone", `q=${"x".repeat(500)}`, "q=%25%27%22%5C"])(
    "reads the address %s leniently",
    async (query) => {
      expect((await (await newCoach()).get(`/desk?${query}`)).status).toBe(200);
    },
  );

  it("answers 404 for a guessed uid", async () => {
    const coach = await newCoach();
    for (const guess of [crypto.randomUUID(), "..%2F..%2Fetc"]) {
      expect((await coach.get(`/desk/${guess}`)).status).toBe(404);
      expect((await coach.post(`/desk/${guess}`, { message: "Bonjour" })).status).toBe(404);
      const change = { status: "closed", version: "1" };
      expect((await coach.post(`/desk/${guess}`, change)).status).toBe(404);
    }
  });
});

describe("a ticket at the desk", () => {
  it.each(["é", "abc"])("answers 400 for the cursor %j", async (cursor) => {
    const { uid } = await newTicket();
    const path = `/desk/${uid}?cursor=${encodeURIComponent(cursor)}`;
    expect((await (await newCoach()).get(path)).status).toBe(400);
  });

  it("shows names as text and keeps line breaks", async () => {
    const { uid, path } = await newTicket({ name: "<b>Ada</b>", message: "<i>Bonjour</i>" });
    const coach = await newCoach();
    const page = await coach.get(`/desk/${uid}`);
    expect(mainOf(page)).toContain("<b>Ada</b>");
    expect(messagesOf(page)).toEqual(["<i>Bonjour</i>"]);
    await answerAt(coach, uid, "Un\r\nDeux");
    expect(messagesOf(await visitor().get(path)).at(-1)).toBe("Un\nDeux");
  });

  it("isolates the text direction of names and titles", async () => {
    const [name, subject] = ["Ada \u202Eadmin", `Objet \u202E${Date.now()}`];
    const { uid, path } = await newTicket({ name, subject });
    const coach = await newCoach();
    const isolated = async (address: string, reader = coach) =>
      (await reader.get(address)).dom.querySelectorAll("main bdi").map(({ text }) => text);
    const inbox = await isolated(`/desk?q=${subject.split("\u202E").at(-1)}`);
    expect(inbox).toEqual([subject, name]);
    expect(await isolated(`/desk/${uid}`)).toContain(name);
    expect(await isolated(path.replace(`/${uid}`, ""), visitor())).toEqual([subject]);
  });

  it("tells coaches that their notes can be read", async () => {
    const { uid } = await newTicket();
    const { dom } = await (await newCoach()).get(`/desk/${uid}`);
    const box = dom.querySelector("input[name=internal]");
    const hint = dom.querySelector(`[id="${box?.getAttribute("aria-describedby") ?? ""}"]`);
    expect(hint?.text).toMatch(/La personne peut la lire.*dans le fichier de ses données/);
  });

  it("hides a note from its person", async () => {
    const { uid, path } = await newTicket();
    const coach = await newCoach();
    await coach.post(`/desk/${uid}`, { message: "Entre nous", internal: "on" });
    expect(mainOf(await coach.get(`/desk/${uid}`))).toContain("Entre nous");
    expect((await visitor().get(path)).body).not.toContain("Entre nous");
  });

  it("refuses a stale change and keeps typed text", async () => {
    const { uid, path } = await newTicket();
    const [one, two] = [await newCoach(), await newCoach()];
    const version = await versionOf(two, uid);
    await answerAt(one, uid, "Déjà répondu");
    const late = await two.post(`/desk/${uid}`, { message: "Ma réponse", version });
    expect(late.status).toBe(400);
    expect(mainOf(late)).toContain("Cette demande a changé entre-temps");
    expect(late.dom.querySelector("textarea")?.text.trim()).toBe("Ma réponse");
    expect(messagesOf(late).at(-1)).toBe("Déjà répondu");
    const closing = await two.post(`/desk/${uid}`, { status: "closed", version });
    expect(closing.status).toBe(400);
    expect(messagesOf(await visitor().get(path))).toEqual(["Bonjour", "Déjà répondu"]);
  });

  it("accepts each status that its form offers", async () => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const offered = (await coach.get(`/desk/${uid}`)).dom
      .querySelectorAll("select[name=after], select[name=status]")
      .map((select) => select.querySelectorAll("option").map((o) => o.attributes.value ?? ""));
    const settable = ["", ...DESK_STATUSES].sort();
    expect(offered.map((values) => values.sort())).toEqual([settable, settable]);
    for (const status of DESK_STATUSES) {
      const change = { status, version: await versionOf(coach, uid) };
      expect((await coach.post(`/desk/${uid}`, change)).status).toBe(303);
      const select = (await coach.get(`/desk/${uid}`)).dom.querySelectorAll("select[name=status]");
      expect(select.at(-1)?.querySelector("option")?.text).toBe(unchanged(status));
    }
  });

  it("keeps the answer that is being written when its status is saved", async () => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const { dom } = await coach.get(`/desk/${uid}`);
    // Without script a browser sends the fields of the button's form.
    const save = dom.querySelector("main button[value=change]")?.attributes.form ?? "";
    const area = dom.querySelector(`form[id="${save}"] textarea`);
    expect(area?.attributes.name).toBe("message");
    const typed = { message: "Ma réponse", internal: "on", after: "closed" };
    const change = { assignee: "", status: "pending", intent: "change" };
    const version = await versionOf(coach, uid);
    const saved = await coach.post(`/desk/${uid}`, { ...typed, ...change, version });
    expect(saved.status).toBe(200);
    expect(mainOf(saved)).toContain("Ma réponse");
    expect(messagesOf(saved)).toEqual(["Bonjour"]);
    const { dom: kept } = saved;
    expect(kept.querySelector("[name=internal]")?.hasAttribute("checked")).toBe(true);
    expect(kept.querySelector("[name=after] [selected]")?.attributes.value).toBe("closed");
    expect(kept.querySelector("[name=status] option")?.text).toBe(unchanged("pending"));
    const next = kept.querySelector("[name=version]")?.attributes.value ?? "";
    expect(next).not.toBe(version);
    const sent = { ...typed, internal: "", intent: "answer", assignee: "", version: next };
    expect((await coach.post(`/desk/${uid}`, sent)).headers.get("location")).toBe(`/desk/${uid}`);
  });

  it("keeps the answer also when saving its status fails", async () => {
    const { uid } = await newTicket();
    const coach = await newCoach();
    const stale = { message: "Ma réponse", status: "closed", version: "99", intent: "change" };
    const refused = await coach.post(`/desk/${uid}`, stale);
    expect(refused.status).toBe(400);
    expect(refused.dom.querySelector("textarea")?.text.trim()).toBe("Ma réponse");
    expect(refused.dom.querySelector("[name=status] [selected]")?.attributes.value).toBe("closed");
  });

  it("names a colleague's assignment beside the one it refused", async () => {
    const { uid } = await newTicket();
    const [one, two] = [await newCoach(), await newCoach()];
    const seen = await two.get(`/desk/${uid}`);
    const version = await versionOf(two, uid);
    const [mine, theirs] = seen.dom
      .querySelectorAll("[name=assignee] option[value]:not([value=''])")
      .slice(-2)
      .map((option) => ({ uid: option.attributes.value ?? "", name: option.text }));
    if (!mine || !theirs) throw new Error("Nobody to assign it to");
    await one.post(`/desk/${uid}`, { assignee: theirs.uid, version });
    const late = await two.post(`/desk/${uid}`, { assignee: mine.uid, version });
    expect(late.status).toBe(400);
    const select = late.dom.querySelector("[name=assignee]");
    expect(select?.querySelector("[selected]")?.attributes.value).toBe(mine.uid);
    const hint = late.dom.querySelector(`[id="${select?.attributes["aria-describedby"] ?? ""}"]`);
    expect(hint?.text).toBe(`À présent\u00A0: ${theirs.name}`);
  });

  it("is found by each filter of the inbox", async () => {
    const coach = await newCoach();
    const hrefs = (await coach.get("/desk")).dom
      .querySelectorAll(".chips a")
      .map((a) => a.attributes.href ?? "");
    expect(hrefs.length).toBeGreaterThan(FILTER_STATUSES.length);
    for (const href of hrefs) {
      const { dom } = await coach.get(href);
      const current = dom.querySelectorAll(".chips a[aria-current]");
      expect(current.map((a) => a.attributes.href)).toContain(href);
    }
  });

  it.each([
    ["an empty answer", { message: "  " }],
    ["a status that is none", { message: "Bonjour", after: "new" }],
    ["an assignee that is nobody", { assignee: crypto.randomUUID(), version: "1" }],
  ])("refuses %s", async (_, fields) => {
    const { uid, path } = await newTicket();
    const answer = await (await newCoach()).post(`/desk/${uid}`, fields);
    expect(answer.status).toBe(400);
    expect(answer.dom.querySelector("[data-error-summary]")).not.toBeNull();
    expect(messagesOf(await visitor().get(path))).toEqual(["Bonjour"]);
  });
});

describe("the account of a coach without a subscription", () => {
  const panelsOf = ({ dom }: PageAnswer) => dom.querySelectorAll("main .panel").map(({ id }) => id);

  it("shows e-mail, password, devices and data alone", async () => {
    const coach = await newCoach();
    const { dom } = await coach.get(paths.desk());
    const header = dom.querySelector(`.site-header a[href="${paths.account()}"]`);
    expect(header).not.toBeNull();
    const page = await coach.get(paths.account());
    expect(panelsOf(page)).toEqual(["profile", "sessions", "password", "data"]);
    expect(mainOf(page)).not.toMatch(/abonne/i);
    expect((await coach.get(paths.accountData())).status).toBe(200);
  });

  it("changes the password", async () => {
    const coach = await newCoach();
    const password = "une-autre-orbite";
    const change = { currentPassword: PASSWORD, password, passwordConfirmation: password };
    const saved = await coach.post(paths.account(), { ...change, intent: "password" });
    expect([saved.status, saved.headers.get("location")]).toEqual([303, paths.account()]);
    expect((await coach.follow(saved)).html).toContain(flash.passwordChanged);
  });

  it("is offered no subscription at the sign-in page", async () => {
    const coach = await newCoach();
    for (const [wanted, to] of [
      [undefined, paths.desk()],
      [paths.account(), paths.account()],
      [paths.desk({ q: "lune" }), paths.desk({ q: "lune" })],
    ] as const) {
      expect((await coach.get(paths.login(wanted))).headers.get("location")).toBe(to);
    }
    const { dom } = await coach.get(paths.login(paths.coaching()));
    expect(dom.querySelector("h1")?.text).toBe("Cette page est réservée aux abonnés");
  });
});
