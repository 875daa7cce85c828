import { expect, it } from "vitest";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, bothCounts, change, inbox, lookAt, newCoach, setStatus, uidsOf } from "./desk";
import { CARDS, newPerson } from "./funnel";
import { back, passDays, subscriber } from "./life";
import { ask, newContact } from "./threads";

onEachDatabase("the desk", (open) => {
  const opened = async (platform: TestPlatform, body: object = {}) => {
    platform.clock.advance(1000);
    return String((await ask(platform, body)).body.payload.uid);
  };

  it.each([
    ["GET /desk/tickets"],
    ["GET /desk/counts"],
    ["GET /desk/coaches"],
    ["GET /desk/tickets/x"],
    ["POST /desk/tickets/x/messages", { message: "a" }],
    ["PUT /desk/tickets/x", { version: 1 }],
  ])("is closed at %s to all but coaches", async (line, body?: object) => {
    const platform = await open();
    const person = await subscriber(platform);
    const call = (token?: string) =>
      platform.call(line, { ...(token && { token }), ...(body && { body }) });
    expect((await call()).status).toBe(401);
    expect((await call(person.token)).status).toBe(403);
    const coach = await newCoach(platform);
    expect((await call(coach.token)).status).toBe(line.includes("/x") ? 404 : 200);
  });

  it("shows waiting people, their time and subject", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uid = await opened(platform, { email: "ada@exemple.fr", message: "Un\n\ndeux 🌙" });
    const [ticket] = (await inbox(platform, coach)).payload;
    expect(ticket).toEqual({
      uid,
      type: "contact",
      title: "Ma carte",
      status: "new",
      unread: false,
      date: "2026-11-20T10:00:01.000Z",
      lastDateTime: "2026-11-20T10:00:01.000Z",
      person: { name: "Ada Byron", email: "ada@exemple.fr" },
      excerpt: "Un deux 🌙",
      assignee: null,
      waitingSince: "2026-11-20T10:00:01.000Z",
      version: 1,
      messageCount: 1,
    });
    platform.clock.advance(1000);
    const answered = await answer(platform, coach, uid, { message: "x".repeat(500) });
    expect(answered.body.payload.ticket).toMatchObject({
      status: "pending",
      waitingSince: null,
      version: 2,
      unread: true,
      messageCount: 2,
      lastDateTime: "2026-11-20T10:00:02.000Z",
      excerpt: `${"x".repeat(139)}…`,
    });
  });

  it("finds by type, status and assignee", async () => {
    const platform = await open();
    const [solene, hugo] = [await newCoach(platform), await newCoach(platform, "Hugo")];
    const uids = [];
    for (let n = 0; n < 6; n++) uids.push(await opened(platform));
    const [a = "", b = "", c = "", d = "", e = "", f = ""] = uids;
    const { token } = await subscriber(platform);
    const talk = await platform.call("POST /support/coaching/tickets", {
      token,
      body: { title: "Mon ascendant", message: "Bonjour" },
    });
    const discussion = String(talk.body.payload.uid);
    await setStatus(platform, solene, a, "closed");
    await setStatus(platform, solene, b, "locked");
    await answer(platform, solene, c);
    await change(platform, solene, d, { assignee: solene.uid, version: 1 });
    await change(platform, solene, e, { assignee: hugo.uid, version: 1 });
    const find = async (query: string) => uidsOf(await inbox(platform, solene, query));
    expect(new Set(await find("?type=contact"))).toEqual(new Set(uids));
    expect(await find("?type=coaching")).toEqual([discussion]);
    expect(await find("?status=closed&status=locked")).toEqual([b, a]);
    expect(new Set(await find("?status=active"))).toEqual(new Set([c, d, e, f, discussion]));
    expect(await find("?status=pending")).toEqual([c]);
    expect(await find("?assignee=me")).toEqual([d]);
    expect(await find(`?assignee=${hugo.uid}&status=active`)).toEqual([e]);
    expect(await find("?assignee=none&type=contact&status=new")).toEqual([f]);
    expect(await find("?assignee=nobody")).toEqual([]);
    const refused = await platform.call("GET /desk/tickets?status=open", { token: solene.token });
    expect(refused.status).toBe(400);
  });

  it("keeps the order of pages across statuses", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uids = [];
    for (let n = 0; n < 12; n++) uids.unshift(await opened(platform));
    for (const uid of uids.filter((_, index) => index % 3 === 0)) {
      await setStatus(platform, coach, uid, "closed");
    }
    const seen = [];
    let query = "?length=5";
    for (let pages = 0; pages < 3; pages++) {
      const { page, ...found } = await inbox(platform, coach, query);
      seen.push(...uidsOf(found as { payload: { uid: string }[] }));
      expect(page.hasNextPage).toBe(pages < 2);
      query = `?length=5&after=${page.endCursor}`;
    }
    expect(seen).toEqual(uids);
  });

  it("has who waits longest first, then the last written, across pages", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uids: string[] = [];
    for (let n = 0; n < 12; n++) uids.push(await opened(platform));
    const answered = uids.filter((_, index) => index % 3 === 0);
    for (const uid of answered) {
      platform.clock.advance(1000);
      await answer(platform, coach, uid);
    }
    // Answered and asked again: this wait began last.
    const [again = ""] = answered;
    platform.clock.advance(1000);
    await setStatus(platform, coach, again, "waiting");
    const waiting = [...uids.filter((uid) => !answered.includes(uid)), again];
    const expected = [...waiting, ...answered.slice(1).reverse()];
    for (const length of [1, 5, 8, 9, 10]) {
      const seen: string[] = [];
      let query: string | null = `?sort=waiting&status=active&length=${length}`;
      for (let pages = 0; query !== null && pages <= expected.length; pages++) {
        const { page, ...found } = await inbox(platform, coach, query);
        seen.push(...uidsOf(found as { payload: { uid: string }[] }));
        query = page.hasNextPage
          ? `?sort=waiting&status=active&length=${length}&after=${page.endCursor}`
          : null;
      }
      expect([length, seen]).toEqual([length, expected]);
    }
    const found = await inbox(platform, coach, "?sort=waiting&query=byron&status=active&length=12");
    expect(uidsOf(found)).toEqual(expected);
  });

  it("refuses the cursor of another order, and an unknown order", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    for (let n = 0; n < 2; n++) await opened(platform);
    const { page } = await inbox(platform, coach, "?length=1");
    const { token } = coach;
    for (const query of [`?sort=waiting&length=1&after=${page.endCursor}`, "?sort=oldest"]) {
      expect((await platform.call(`GET /desk/tickets${query}`, { token })).status).toBe(400);
    }
  });

  it("counts by type and status as it changes", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const uids = [await opened(platform), await opened(platform), await opened(platform)];
    await answer(platform, coach, uids[0] ?? "");
    await setStatus(platform, coach, uids[1] ?? "", "closed");
    const { body } = await platform.call("GET /desk/counts", { token: coach.token });
    const none = { new: 0, pending: 0, waiting: 0, closed: 0, locked: 0 };
    expect(body.payload).toEqual({
      contact: { ...none, new: 1, pending: 1, closed: 1 },
      coaching: none,
    });
    const [kept, counted] = await bothCounts(platform);
    expect(kept).toEqual(counted);
  });

  it.each([
    ["carte", 1],
    ["CARTES", 0],
    ["car", 1],
    ["ca refusee", 0],
    ["refusee carte", 1],
    ["refusée", 1],
    ["byron", 1],
    ["Lovelace.Ada@Exemple.FR", 1],
    ["lovelace.ada@ex", 1],
    ["œuvre", 1],
    ["oeuvre", 1],
    ["🌙", 0],
    ["%", 0],
    ["' or 1=1", 0],
    ["l'étoile", 1],
    ["carte inconnue", 0],
    [" ", 2],
  ])("finds %j", async (query, count) => {
    const platform = await open();
    const coach = await newCoach(platform);
    await opened(platform, {
      email: "lovelace.ada@exemple.fr",
      name: "Ada BYRON",
      title: "Carte refusée",
      message: "À l’œuvre, l'étoile 🌙 et 1 ou 2 questions",
    });
    await opened(platform, { name: "Bob", title: "Autre", message: "Rien" });
    const found = await inbox(platform, coach, `?query=${encodeURIComponent(query)}`);
    expect(found.payload).toHaveLength(count);
  });

  it("finds later messages within a filter", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const [a, b] = [await opened(platform), await opened(platform)];
    platform.clock.advance(1000);
    await answer(platform, coach, a, { message: "Une éclipse" });
    await answer(platform, coach, b, { message: "éclipse aussi", internal: true });
    const find = async (query: string) => uidsOf(await inbox(platform, coach, query));
    expect(await find("?query=eclipse")).toEqual([a, b]);
    expect(await find("?query=eclipse&status=new")).toEqual([b]);
    expect(await find("?query=eclipse&type=coaching")).toEqual([]);
    expect(await find("?query=eclipse&assignee=me")).toEqual([]);
    expect(await find("?query=eclipse&length=1")).toEqual([a]);
  });

  it("shows what the person pays for", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const person = await subscriber(platform);
    const member = await newPerson(platform);
    const of = async (email: string) => {
      const uid = await opened(platform, { email });
      return (await lookAt(platform, coach, uid)).body.payload.person.subscription;
    };
    expect(await of("personne@exemple.fr")).toBeNull();
    expect(await of(member.email)).toBeNull();
    const since = "2026-11-20T10:00:00.000Z";
    const paid = { since, nextDate: "2026-11-27T10:00:00.000Z", formula: expect.any(String) };
    expect(await of(person.email)).toEqual({ state: "active", ...paid });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    expect(await of(person.email)).toEqual({ state: "stopped", ...paid });
    await passDays(platform, 7);
    expect(await of(person.email)).toMatchObject({ state: "ended", nextDate: null });
  });

  it("tells a payment as refused or awaited, by what its person can do", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 7.1);
    const uid = await opened(platform, { email: person.email });
    const told = async () =>
      (await lookAt(platform, await back(platform, coach), uid)).body.payload.person.subscription;
    expect(await told()).toMatchObject({ state: "grace" });
    expect(await told()).not.toHaveProperty("isAwaited");
    await platform.database
      .updateTable("subscription")
      .set({ renewal_needs: "confirmation" })
      .execute();
    expect(await told()).toMatchObject({ state: "grace", isAwaited: true });
  });

  it("tells a due debit as its person is told it", async () => {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const coach = await newCoach(platform);
    const person = await subscriber(platform);
    const uid = await opened(platform, { email: person.email });
    const told = async () =>
      (await lookAt(platform, await back(platform, coach), uid)).body.payload.person.subscription;
    Object.assign(sandbox, { unreachable: true });
    await passDays(platform, 7.1);
    const accessEnd = "2026-12-04T10:00:00.000Z";
    expect(await told()).toMatchObject({ state: "delayed", nextDate: accessEnd });
    Object.assign(sandbox, { unreachable: false, loseAnswers: true });
    await passDays(platform, 1);
    expect(await told()).toMatchObject({ state: "undecided", nextDate: accessEnd });
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(await told()).toMatchObject({ state: "stopped", nextDate: accessEnd });
  });

  it("shows a stop that is planned for later", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const person = await subscriber(platform);
    const { email } = person;
    const body = { name: "Ada Byron", email, date: "2027-01-05" };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const uid = await opened(platform, { email });
    const { subscription } = (await lookAt(platform, coach, uid)).body.payload.person;
    const { token } = await back(platform, person);
    const { body: own } = await platform.call("GET /subscriptions", { token });
    expect(own.payload.plannedEndDateTime).toBe("2027-01-27T10:00:00.000Z");
    expect(subscription).toMatchObject({ state: "stopped", nextDate: "2027-01-27T10:00:00.000Z" });
  });

  it("shows this of a person, and nothing of the card", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const person = await subscriber(platform);
    const uid = await opened(platform, { email: person.email });
    const asked = "2026-11-20T10:00:01.000Z";
    expect((await lookAt(platform, coach, uid)).body.payload).toEqual({
      uid,
      type: "contact",
      title: "Ma carte",
      status: "new",
      date: asked,
      lastDateTime: asked,
      waitingSince: asked,
      unread: false,
      messageCount: 1,
      excerpt: "Bonjour",
      assignee: null,
      version: 1,
      consentTakenBackDateTime: null,
      person: {
        name: "Ada Byron",
        email: person.email,
        subscription: {
          state: "active",
          since: "2026-11-20T10:00:00.000Z",
          nextDate: "2026-11-27T10:00:00.000Z",
          formula: "VIP mensuel",
        },
      },
      messages: [
        {
          uid: expect.any(String),
          contact: { uid: expect.any(String), name: "Ada Byron" },
          author: "person",
          internal: false,
          content: "Bonjour",
          date: asked,
        },
      ],
    });
  });

  it("refuses a removed coach at the next call", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const first = await platform.call("GET /desk/counts", { token: coach.token });
    expect(first.headers.get("next-token")).not.toBeNull();
    await platform.database.deleteFrom("account_role").execute();
    expect((await platform.call("GET /desk/counts", { token: coach.token })).status).toBe(403);
  });

  it("lists coaches by name", async () => {
    const platform = await open();
    const solene = await newCoach(platform);
    const hugo = await newCoach(platform, "Hugo");
    const { body } = await platform.call("GET /desk/coaches", { token: hugo.token });
    expect(body.payload).toEqual([
      { uid: hugo.uid, name: "Hugo" },
      { uid: solene.uid, name: "Solène" },
    ]);
  });

  it("gives no access to tickets as their person", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    const { uid } = await newContact(platform);
    const seen = await platform.call(`GET /support/contact/tickets/${uid}`, { token: coach.token });
    expect(seen.status).toBe(401);
  });
});
