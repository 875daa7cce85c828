import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, bothCounts, lookAt, newCoach } from "./desk";
import { newPerson, type Person } from "./funnel";
import { newestMail, passDays, placesOf, subscriber } from "./life";
import { asContact, contents, mailedSecret, newContact } from "./threads";

onEachDatabase("a discussion", (open) => {
  const begin = (platform: TestPlatform, { token }: Person, body: object = {}) =>
    platform.call("POST /support/coaching/tickets", {
      token,
      body: { title: "Mon ascendant", message: "Bonjour", ...body },
    });

  const read = (platform: TestPlatform, { token }: Person, uid: string) =>
    platform.call(`GET /support/coaching/tickets/${uid}`, { token });

  async function begun() {
    const platform = await open();
    const person = await subscriber(platform);
    const { body } = await begin(platform, person);
    return { platform, person, uid: String(body.payload.uid) };
  }

  it("is opened by a subscriber under the profile's name", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const first = await begin(platform, person);
    expect(first.status).toBe(201);
    const { token, uid, email } = person;
    expect(first.body.payload.contact).toEqual({ email, name: email.split("@")[0] });
    const body = { profile: { name: " Ada " } };
    await platform.call(`PUT /users/${uid}/metadata`, { token, body });
    const second = await begin(platform, person, { category: "Lune" });
    expect(second.body.payload).toMatchObject({
      title: "[Lune]: Mon ascendant",
      contact: { email, name: "Ada" },
    });
    const { payload } = (await read(platform, person, second.body.payload.uid)).body;
    expect(payload.messages[0].contact).toEqual({ uid, name: "Ada" });
  });

  const BIRTH = "3 mars 1987 vers 14 h, Brest";

  it("shows a birth to its person and to coaches, in no list", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { status, body } = await begin(platform, person, { birth: `  ${BIRTH} ` });
    expect(status).toBe(201);
    const uid = String(body.payload.uid);
    expect((await read(platform, person, uid)).body.payload.birth).toBe(BIRTH);
    const coach = await newCoach(platform);
    expect((await lookAt(platform, coach, uid)).body.payload.birth).toBe(BIRTH);
    for (const [line, { token }] of [
      ["GET /support/coaching/tickets", person],
      ["GET /desk/tickets", coach],
      ["GET /desk/tickets?query=brest", coach],
    ] as const) {
      const list = await platform.call(line, { token });
      expect([line, JSON.stringify(list.body).includes("Brest")]).toEqual([line, false]);
    }
    const { body: told } = await platform.call(`GET /users/${person.uid}/export`, {
      token: person.token,
    });
    expect(told.payload.discussions).toMatchObject([{ uid, birth: BIRTH }]);
  });

  it("closes the birth to coaches while the consent is taken back", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { token } = person;
    const consent = `/users/${person.uid}/sensitive-consent`;
    await platform.call(`PUT ${consent}`, { token, body: { text: "J’accepte." } });
    const { body } = await begin(platform, person, { birth: BIRTH });
    const uid = String(body.payload.uid);
    await platform.call(`DELETE ${consent}`, { token });
    const seen = await lookAt(platform, await newCoach(platform), uid);
    expect([seen.status, JSON.stringify(seen.body).includes("Brest")]).toEqual([200, false]);
    expect((await read(platform, person, uid)).body.payload.birth).toBe(BIRTH);
    await platform.call(`DELETE ${consent}?discussions=erase`, { token });
    expect(await placesOf(platform, BIRTH)).toEqual([]);
  });

  it("refuses a birth of several lines or more than 120 characters", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    for (const [birth, status] of [
      ["x".repeat(120), 201],
      ["x".repeat(121), 400],
      ["a\u0000b", 400],
      ["", 400],
    ] as const) {
      expect([birth, (await begin(platform, person, { birth })).status]).toEqual([birth, status]);
    }
  });

  it("is another request under one key with another birth", async () => {
    const platform = await open();
    const { token } = await subscriber(platform);
    const send = (more: object) =>
      platform.call("POST /support/coaching/tickets", {
        token,
        headers: { "idempotency-key": "0123456789abcdef-birth" },
        body: { title: "Mon ascendant", message: "Bonjour", ...more },
      });
    const first = await send({ birth: BIRTH });
    expect((await send({ birth: BIRTH })).body).toEqual(first.body);
    expect([(await send({})).status, (await send({ birth: "Brest" })).status]).toEqual([409, 409]);
  });

  it("is without the birth that a contact ticket brings", async () => {
    const platform = await open();
    await newContact(platform, { birth: BIRTH });
    expect(await placesOf(platform, BIRTH)).toEqual([]);
  });

  it("stores messages in order", async () => {
    const { platform, person, uid } = await begun();
    const written = await platform.call(`POST /support/coaching/tickets/${uid}/messages`, {
      token: person.token,
      body: { message: "Et ma Lune ?" },
    });
    expect(written.status).toBe(201);
    expect(contents(await read(platform, person, uid))).toEqual(["Bonjour", "Et ma Lune ?"]);
    const marked = await platform.call(`POST /support/coaching/tickets/${uid}/read`, {
      token: person.token,
    });
    expect(marked.status).toBe(204);
  });

  it("is for subscribers only, at every call", async () => {
    const { platform, uid } = await begun();
    const visitor = await newPerson(platform);
    const coach = await newCoach(platform);
    const lines = [
      ["GET /support/coaching/tickets"],
      ["POST /support/coaching/tickets", { title: "a", message: "b" }],
      [`GET /support/coaching/tickets/${uid}`],
      [`POST /support/coaching/tickets/${uid}/messages`, { message: "b" }],
      [`POST /support/coaching/tickets/${uid}/read`],
    ] as const;
    for (const [line, body] of lines) {
      const call = (token?: string) =>
        platform.call(line, { ...(token && { token }), ...(body && { body }) });
      expect([line, (await call()).status]).toEqual([line, 401]);
      expect([line, (await call("x.y.z")).status]).toEqual([line, 401]);
      expect([line, (await call(visitor.token)).status]).toEqual([line, 403]);
      expect([line, (await call(coach.token)).status]).toEqual([line, 403]);
    }
  });

  it("does not open with a mailed link", async () => {
    const { platform, uid } = await begun();
    const contact = await newContact(platform);
    const { status } = await platform.call(`GET /support/coaching/tickets/${uid}`, {
      headers: asContact(contact),
    });
    expect(status).toBe(403);
    const wrong = await platform.call(`GET /support/contact/tickets/${uid}`, {
      headers: asContact(contact),
    });
    expect(wrong.status).toBe(404);
  });

  it("is hidden from every other subscriber", async () => {
    const { platform, uid } = await begun();
    const other = await subscriber(platform);
    expect((await read(platform, other, uid)).status).toBe(404);
    const written = await platform.call(`POST /support/coaching/tickets/${uid}/messages`, {
      token: other.token,
      body: { message: "Bonsoir" },
    });
    expect(written.status).toBe(404);
    const list = await platform.call("GET /support/coaching/tickets", { token: other.token });
    expect(list.body.payload).toEqual([]);
  });

  it("is available only while the subscription runs", async () => {
    const { platform, person, uid } = await begun();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passDays(platform, 7);
    expect((await read(platform, person, uid)).status).toBe(403);
  });

  it("has its answers mailed with a plain link", async () => {
    const { platform, person, uid } = await begun();
    await answer(platform, await newCoach(platform), uid, { message: "Bonjour,\n\nen Lion." });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain(`\nhttps://cap.example/coaching/${uid}#latest\n`);
    expect(text).toContain("\nBonjour,\n\nen Lion.\n");
    expect(text).not.toContain("?t=");
  });

  it("is deleted with the account, unlike contact tickets", async () => {
    const { platform, person, uid } = await begun();
    await begin(platform, person, { message: "xylophonique" });
    const contact = await newContact(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    platform.clock.advance(3_600_000);
    await platform.runDueJobs();
    const coach = await newCoach(platform);
    expect((await lookAt(platform, coach, uid)).status).toBe(404);
    expect((await lookAt(platform, coach, contact.uid)).status).toBe(200);
    expect(await placesOf(platform, "xylophonique")).toEqual([]);
    const [kept, counted] = await bothCounts(platform);
    expect(kept).toEqual(counted);
    const others = await placesOf(platform, person.email);
    expect(others.filter((place) => !place.startsWith("bank_"))).toEqual(["contract_proof.email"]);
  });

  it("is exported with notes, without their coach's name", async () => {
    const { platform, person, uid } = await begun();
    const coach = await newCoach(platform);
    await answer(platform, coach, uid, { message: "Une note", internal: true });
    await answer(platform, coach, uid, { message: "Bonjour Ada" });
    const { token } = person;
    const { body } = await platform.call(`GET /users/${person.uid}/export`, { token });
    expect(body.payload.discussions).toMatchObject([
      {
        uid,
        title: "Mon ascendant",
        status: "pending",
        messages: [
          { author: "person", content: "Bonjour" },
          { author: "coach", content: "Bonjour Ada" },
        ],
        notes: [{ date: platform.clock.now().toISOString(), content: "Une note" }],
      },
    ]);
    expect(Object.keys(body.payload.discussions[0].notes[0])).toEqual(["date", "content"]);
  });

  it("is separate from contact tickets of its e-mail", async () => {
    const { platform, person } = await begun();
    const contact = await newContact(platform, { email: person.email });
    const secret = await mailedSecret(platform, person.email);
    const seen = await platform.call("GET /support/contact/tickets", {
      token: person.token,
      headers: asContact({ secret }),
    });
    expect(seen.body.payload.map((ticket: { uid: string }) => ticket.uid)).toEqual([contact.uid]);
    const own = await platform.call("GET /support/coaching/tickets", { token: person.token });
    expect(own.body.payload).toHaveLength(1);
  });
});
