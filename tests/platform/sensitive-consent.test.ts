import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, bothCounts, change, inbox, lookAt, newCoach, setStatus, uidsOf } from "./desk";
import type { Person } from "./funnel";
import { subscriber } from "./life";

const NOW = "2026-11-20T10:00:00.000Z";
const TEXT = "J’accepte que le site traite ce que je confie.";

onEachDatabase("the consent to sensitive information", (open) => {
  const read = (platform: TestPlatform, { uid, token }: Person) =>
    platform.call(`GET /users/${uid}/sensitive-consent`, { token });

  const give = (platform: TestPlatform, { uid, token }: Person) =>
    platform.call(`PUT /users/${uid}/sensitive-consent`, { token, body: { text: TEXT } });

  const takeBack = (platform: TestPlatform, { uid, token }: Person) =>
    platform.call(`DELETE /users/${uid}/sensitive-consent`, { token });

  const discuss = (platform: TestPlatform, { token }: Person) =>
    platform.call("POST /support/coaching/tickets", {
      token,
      body: { title: "Mon thème", message: "Bonjour" },
    });

  const statusesOf = async (platform: TestPlatform, { token }: Person) => {
    const { body } = await platform.call("GET /support/coaching/tickets", { token });
    return body.payload.map(({ status }: { status: string }) => status).sort();
  };

  const exportOf = async (platform: TestPlatform, { uid, token }: Person) =>
    (await platform.call(`GET /users/${uid}/export`, { token })).body.payload;

  it("is stored once with its words and time", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    expect((await read(platform, person)).body.payload).toBeNull();
    const given = await give(platform, person);
    expect(given.body.payload).toEqual({
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
      givenDateTime: NOW,
    });
    platform.clock.advance(60_000);
    expect((await give(platform, person)).body).toEqual(given.body);
    expect((await read(platform, person)).body.payload).toEqual(given.body.payload);
    expect((await exportOf(platform, person)).sensitiveConsents).toEqual([
      { ...given.body.payload, text: TEXT, takenBackDateTime: null },
    ]);
  });

  it("is stored once when given from two tabs", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await Promise.all([1, 2, 3, 4].map(() => give(platform, person)));
    expect((await exportOf(platform, person)).sensitiveConsents).toHaveLength(1);
  });

  it("closes all discussions when it is revoked", async () => {
    const platform = await open();
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    const coach = await newCoach(platform);
    await give(platform, person);
    const uids: string[] = [];
    for (const one of [person, person, person, other]) {
      uids.push((await discuss(platform, one)).body.payload.uid);
    }
    const [, answered = "", locked = ""] = uids;
    await answer(platform, coach, answered);
    await setStatus(platform, coach, locked, "locked");
    platform.clock.advance(60_000);
    for (let time = 0; time < 2; time++) {
      expect((await takeBack(platform, person)).status).toBe(204);
      expect((await read(platform, person)).body.payload).toBeNull();
      expect(await statusesOf(platform, person)).toEqual(["closed", "closed", "locked"]);
    }
    expect(await statusesOf(platform, other)).toEqual(["new"]);
    const counts = await bothCounts(platform);
    expect(counts[0]).toEqual(counts[1]);
    const reply = await platform.call(`POST /support/coaching/tickets/${answered}/messages`, {
      token: person.token,
      body: { message: "Encore" },
    });
    expect(reply.status).toBe(409);
    await give(platform, person);
    expect((await exportOf(platform, person)).sensitiveConsents).toMatchObject([
      { givenDateTime: NOW, takenBackDateTime: "2026-11-20T10:01:00.000Z" },
      { takenBackDateTime: null },
    ]);
  });

  it("erases the discussions if its person asks", async () => {
    const platform = await open();
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    await give(platform, person);
    await discuss(platform, person);
    await discuss(platform, other);
    await platform.call(`DELETE /users/${person.uid}/sensitive-consent?discussions=erase`, {
      token: person.token,
    });
    expect(await statusesOf(platform, person)).toEqual([]);
    expect(await statusesOf(platform, other)).toEqual(["new"]);
    const left = await platform.database.selectFrom("ticket_message").select("uid").execute();
    expect(left).toHaveLength(1);
    const counts = await bothCounts(platform);
    expect(counts[0]).toEqual(counts[1]);
  });

  /** A coach, a person who took their consent back, and their discussion. */
  async function takenBack(platform: TestPlatform) {
    const [coach, person] = [await newCoach(platform), await subscriber(platform)];
    await give(platform, person);
    const { uid } = (await discuss(platform, person)).body.payload;
    await takeBack(platform, person);
    return { coach, person, uid };
  }

  const reply = (platform: TestPlatform, { token }: Person, uid: string) =>
    platform.call(`POST /support/coaching/tickets/${uid}/messages`, {
      token,
      body: { message: "Encore ma santé" },
    });

  const causesOf = ({ status, body }: Awaited<ReturnType<typeof reply>>) => [
    status,
    body.violations?.map(({ property }: { property: string }) => property),
  ];

  it("taken back lets no coach reply or reopen", async () => {
    const platform = await open();
    const { coach, person, uid } = await takenBack(platform);
    const seen = (await lookAt(platform, coach, uid)).body.payload;
    expect(seen.consentTakenBackDateTime).toBe(NOW);
    const before = { version: seen.version - 1 };
    for (const body of [{}, { status: "waiting" }, { internal: true }, before]) {
      expect(causesOf(await answer(platform, coach, uid, body))).toEqual([409, ["consent"]]);
    }
    for (const { status, version } of [
      { ...before, status: "waiting" },
      { status: "waiting", version: seen.version },
      { status: "pending", version: seen.version },
    ]) {
      const changed = await change(platform, coach, uid, { status, version });
      expect(causesOf(changed)).toEqual([409, ["consent"]]);
    }
    expect(await statusesOf(platform, person)).toEqual(["closed"]);
    await setStatus(platform, coach, uid, "locked");
    await platform.runDueJobs();
    const mails = platform.database
      .selectFrom("mail")
      .select("key")
      .where("key", "like", "answer:%");
    expect(await mails.execute()).toEqual([]);
  });

  /** Everything a coach receives about the discussion: lists, searches, thread and answers to changes. */
  async function readByCoach(platform: TestPlatform, coach: Person, uid: string) {
    const lists = [];
    for (const query of LISTS) lists.push(await inbox(platform, coach, query));
    const counts = await platform.call("GET /desk/counts", { token: coach.token });
    const thread = await lookAt(platform, coach, uid);
    return {
      found: lists.map((list) => uidsOf(list).includes(uid)),
      counted: counts.body.payload.coaching,
      thread: thread.body,
      all: JSON.stringify([lists, thread.body]),
    };
  }

  const LISTS = [
    "",
    "?type=coaching",
    "?status=closed",
    "?status=closed&type=coaching",
    "?query=Mon%20th%C3%A8me",
    "?query=Bonj&status=closed&type=coaching",
    "?query=vigne",
  ];

  it("taken back hides the discussion from every coach", async () => {
    const platform = await open();
    const [person, other, coach] = [
      await subscriber(platform),
      await subscriber(platform),
      await newCoach(platform),
    ];
    for (const one of [person, other]) await give(platform, one);
    const { uid } = (await discuss(platform, person)).body.payload;
    const { uid: othersUid } = (await discuss(platform, other)).body.payload;
    await answer(platform, coach, uid, { message: "Il manque la vigne" });
    const key = { "idempotency-key": "note-de-solene-1" };
    const note = { message: "Elle évoque sa santé", internal: true };
    await answer(platform, coach, uid, note, key);
    await setStatus(platform, coach, uid, "closed");
    const open_ = await readByCoach(platform, coach, uid);
    expect([open_.found, open_.counted.closed]).toEqual([LISTS.map(() => true), 1]);

    await takeBack(platform, person);
    const invited = await newCoach(platform, "Maud");
    for (const one of [coach, invited]) {
      const hidden = await readByCoach(platform, one, uid);
      expect([hidden.found, hidden.counted.closed]).toEqual([LISTS.map(() => false), 0]);
      expect(hidden.thread).toMatchObject({
        payload: { title: "", excerpt: "", messages: [], consentTakenBackDateTime: NOW },
        page: { hasNextPage: false },
      });
      const { version } = hidden.thread.payload;
      const assigned = await change(platform, one, uid, { assignee: one.uid, version });
      const repeated = await answer(platform, one, uid, note, key);
      expect(repeated.status).toBe(one === coach ? 201 : 409);
      const texts = JSON.stringify([assigned.body, repeated.body.payload?.ticket, hidden.all]);
      expect(texts).not.toMatch(/vigne|santé/);
      expect(uidsOf(await inbox(platform, one, "?assignee=me"))).toEqual([]);
    }
    expect(uidsOf(await inbox(platform, invited, "?type=coaching"))).toEqual([othersUid]);

    const own = await platform.call(`GET /support/coaching/tickets/${uid}`, {
      token: person.token,
    });
    expect(JSON.stringify(own.body.payload)).toContain("Il manque la vigne");
    expect(JSON.stringify(await exportOf(platform, person))).toContain("Il manque la vigne");
    const counts = await bothCounts(platform);
    expect(counts[0]).toEqual(counts[1]);

    await give(platform, person);
    const again = await readByCoach(platform, invited, uid);
    expect([again.found, again.counted]).toEqual([open_.found, open_.counted]);
    expect(again.thread.payload.messages).toHaveLength(3);
  });

  it("given anew lets a coach reopen", async () => {
    const platform = await open();
    const { coach, person, uid } = await takenBack(platform);
    await give(platform, person);
    expect((await lookAt(platform, coach, uid)).body.payload.consentTakenBackDateTime).toBeNull();
    expect((await answer(platform, coach, uid, { status: "waiting" })).status).toBe(201);
    expect((await reply(platform, person, uid)).status).toBe(201);
  });

  it("taken back is needed for the next message", async () => {
    const platform = await open();
    const { person, uid } = await takenBack(platform);
    const { database } = platform;
    // As an earlier version left it: reopened by a coach with no consent standing.
    await database
      .updateTable("ticket")
      .set({ status: "pending" })
      .where("uid", "=", uid)
      .execute();
    expect(causesOf(await reply(platform, person, uid))).toEqual([409, ["consent"]]);
    expect(causesOf(await discuss(platform, person))).toEqual([409, ["consent"]]);
    const thread = await platform.call(`GET /support/coaching/tickets/${uid}`, {
      token: person.token,
    });
    expect(thread.body.payload.consentTakenBackDateTime).toBe(NOW);
    await give(platform, person);
    expect((await reply(platform, person, uid)).status).toBe(201);
    expect((await discuss(platform, person)).status).toBe(201);
  });

  it("never given leaves discussions as they were", async () => {
    const platform = await open();
    const [coach, person] = [await newCoach(platform), await subscriber(platform)];
    const { uid } = (await discuss(platform, person)).body.payload;
    await setStatus(platform, coach, uid, "closed");
    expect((await answer(platform, coach, uid, { status: "waiting" })).status).toBe(201);
    expect((await reply(platform, person, uid)).status).toBe(201);
  });

  it("closes first and erases what is closed later", async () => {
    const platform = await open();
    const { person } = await takenBack(platform);
    const countOf = async () => (await read(platform, person)).body.discussions;
    expect(await countOf()).toBe(1);
    await platform.call(`DELETE /users/${person.uid}/sensitive-consent?discussions=erase`, {
      token: person.token,
    });
    expect(await countOf()).toBe(0);
  });

  it("is not required from API clients", async () => {
    const platform = await open();
    expect((await discuss(platform, await subscriber(platform))).status).toBe(201);
  });

  it("can be given a limited number of times an hour", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const statuses = [];
    for (let time = 0; time < 21; time++) {
      statuses.push((await give(platform, person)).status);
      await takeBack(platform, person);
    }
    expect([statuses.indexOf(429), statuses.at(-1)]).toEqual([20, 429]);
  });
});

onEachDatabase("the version of a consent", (open) => {
  it("is the digest of the words that were shown", async () => {
    const platform = await open();
    for (const text of ["J’accepte.", "J’accepte tout."]) {
      const { uid, token } = await subscriber(platform);
      const path = `PUT /users/${uid}/sensitive-consent`;
      const { body } = await platform.call(path, { token, body: { text } });
      const digest = createHash("sha256").update(text).digest("hex");
      expect(body.payload.version).toBe(digest.slice(0, 16));
    }
  });
});
