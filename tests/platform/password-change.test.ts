import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { hashPassword, passwordMatches } from "../../server/platform/accounts/passwords";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
  headersOf,
  newAddress,
  newPerson,
  PASSWORD,
  signIn,
  type From,
  type Person,
} from "./funnel";
import { back, newestMail } from "./life";

const NEW = "une autre orbite";
const MINUTE_MS = 60_000;

/** Nobody's, and verified with so many passes that it takes much longer than a read of the database. */
const SLOW_HASH = `$argon2id$v=19$m=19456,t=30,p=1$${"A".repeat(22)}$${"A".repeat(43)}`;

onEachDatabase("a password that is changed", (open) => {
  const change = (
    platform: TestPlatform,
    { uid, token }: Person,
    body: { currentPassword?: string; password?: string } = {},
    from: From = {},
  ) =>
    platform.call(`PUT /users/${uid}/password`, {
      token,
      headers: headersOf(from),
      body: { currentPassword: PASSWORD, password: NEW, ...body },
    });

  const read = async (platform: TestPlatform, { uid, token }: Person) =>
    (await platform.call(`GET /users/${uid}`, { token })).status;

  it("replaces the old one at once", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const { status, body } = await change(platform, person);
    expect([status, body]).toEqual([204, ""]);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect((await signIn(platform, person.email, NEW)).status).toBe(200);
  });

  it("ends all sessions but the asking one", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    await change(platform, person);
    expect([await read(platform, person), await read(platform, other)]).toEqual([200, 401]);
  });

  it("forgets the addresses of earlier sign-ins, and knows its own", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const [before, here] = [newAddress(), newAddress()];
    await signIn(platform, person.email, PASSWORD, { address: before });
    await change(platform, person, {}, { address: here });
    // As many guesses as lock an account for addresses that it is not known from.
    for (let guess = 0; guess < 100; guess++)
      await signIn(platform, person.email, "au hasard", { address: newAddress() });
    const from = async (address: string) =>
      (await signIn(platform, person.email, NEW, { address })).status;
    expect([await from(before), await from(here)]).toEqual([429, 200]);
  });

  it("may equal the old one", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    expect((await change(platform, person, { password: PASSWORD })).status).toBe(204);
    expect(await read(platform, other)).toBe(401);
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("is mailed to its owner with an undo link", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await change(platform, person);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("\nhttps://cap.example/reset-password\n");
    expect(text).toContain("20 nov. 2026 à 11:00".replaceAll(" ", "\u00a0"));
  });

  it("requires the current one and otherwise changes nothing", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    const { status, body } = await change(platform, person, { currentPassword: "autre-chose" });
    expect([status, body.violations]).toEqual([
      400,
      [{ property: "currentPassword", type: "invalid", message: "Wrong password" }],
    ]);
    expect(await read(platform, other)).toBe(200);
    expect((await signIn(platform, person.email)).status).toBe(200);
    await platform.runDueJobs();
    expect(await platform.database.selectFrom("mail").selectAll().execute()).toEqual([]);
  });

  it.each([
    ["currentPassword", "", "missing"],
    ["password", "", "missing"],
    ["password", "court", "invalid"],
    ["password", "x".repeat(51), "invalid"],
  ])("needs a good %s, not «%s»", async (property, value, type) => {
    const platform = await open();
    const answer = await change(platform, await newPerson(platform), { [property]: value });
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toMatchObject([{ property, type }]);
  });

  it("is changed once by two simultaneous requests", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const answers = await Promise.all([
      change(platform, person, { password: "premier choix" }),
      change(platform, person, { password: "second choix" }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const [first] = answers;
    const winner = first?.status === 204 ? "premier choix" : "second choix";
    expect((await signIn(platform, person.email, winner)).status).toBe(200);
  });

  it("invalidates reset links that were mailed before", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await platform.call("POST /reset-password/request", { body: { identifier: person.email } });
    await platform.runDueJobs();
    const links = () => platform.database.selectFrom("password_reset").selectAll().execute();
    expect(await links()).toHaveLength(1);
    await change(platform, person);
    expect(await links()).toEqual([]);
  });

  it("refuses the old password afterwards", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const password_hash = await hashPassword("192.0.2.1", NEW);
    // The sign-in has read the old one and waits in the crowd to have it verified.
    const crowd = Array.from({ length: 2 * availableParallelism() }, (_, n) =>
      // Each of a network and with a password of its own, so that none is answered before its turn.
      passwordMatches(`198.51.${n}.1`, SLOW_HASH, `${PASSWORD} ${n}`),
    );
    const entering = signIn(platform, email);
    while ((await waiting(platform)) === 0);
    for (let time = 0; time < 5; time++) await waiting(platform);
    await platform.database.updateTable("account").set({ password_hash }).execute();
    expect((await entering).status).toBe(401);
    await Promise.all(crowd);
  });

  const waiting = async ({ database }: TestPlatform) => {
    const events = database.selectFrom("limited_event").select("uid");
    return (await events.where("scope", "like", "login.%").execute()).length;
  };

  it("allows ten wrong guesses in a quarter hour", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const from = { address: "203.0.113.5" };
    const guess = (on: TestPlatform) => change(on, person, { currentPassword: "au hasard" }, from);
    for (let time = 0; time < 10; time++) {
      expect((await guess(platform)).status).toBe(400);
      platform.clock.advance(1000);
    }
    const again = await platform.reopen();
    const refused = await change(again, person, {}, from);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "890"]);
    expect((await change(again, person, {}, { address: "203.0.113.6" })).status).toBe(204);
    again.clock.advance(15 * MINUTE_MS);
    expect((await change(again, person, { currentPassword: NEW }, from)).status).toBe(204);
  });

  it("can be changed any number of times slowly", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < 12; time++) {
      expect((await change(platform, person, { password: PASSWORD })).status).toBe(204);
    }
  });

  it("can be changed twenty times an hour at most", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const again = () => change(platform, person, { password: PASSWORD });
    for (let time = 0; time < 20; time++) expect((await again()).status).toBe(204);
    const refused = await again();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    platform.clock.advance(60 * MINUTE_MS);
    expect((await again()).status).toBe(204);
  });

  it("can be changed by its owner only", async () => {
    const platform = await open();
    const [ada, bob] = [await newPerson(platform), await newPerson(platform)];
    expect((await change(platform, { ...ada, token: bob.token })).status).toBe(404);
    expect((await change(platform, { ...ada, token: "none" })).status).toBe(401);
    expect((await signIn(platform, ada.email)).status).toBe(200);
  });
});
