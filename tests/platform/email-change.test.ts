import { expect, it } from "vitest";
import { changeEmail } from "../../server/platform/accounts/change-email";
import { grantRole } from "../../server/platform/accounts/roles";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { subscriptionContext } from "./context";
import { newCoach } from "./desk";
import {
  headersOf,
  newAddress,
  newPerson,
  PASSWORD,
  signIn,
  type From,
  type Person,
} from "./funnel";
import { back, mailAbout, mailsTo, passDays, placesOf, subscriber } from "./life";

const MINUTE_MS = 60_000;
const NEW = "Nouvelle@Exemple.fr";
const LINK = /^https:\/\/cap\.example\/account\/email\/confirm\?token=([\w-]{43})$/m;

onEachDatabase("another e-mail", (open) => {
  const ask = (
    platform: TestPlatform,
    { uid, token }: Person,
    { email = NEW, currentPassword = PASSWORD, ...from }: From & Record<string, string> = {},
  ) =>
    platform.call(`POST /users/${uid}/email`, {
      token,
      headers: headersOf(from),
      body: { email, currentPassword },
    });

  const check = (platform: TestPlatform, { uid, token }: Person, secret: string) =>
    platform.call(`POST /users/${uid}/email/check`, { token, body: { token: secret } });

  const confirm = (platform: TestPlatform, { uid, token }: Person, secret: string) =>
    platform.call(`POST /users/${uid}/email/confirm`, { token, body: { token: secret } });

  /** Asks, and takes the secret out of the mail. */
  async function secretFor(platform: TestPlatform, person: Person, email = NEW) {
    expect((await ask(platform, person, { email })).status).toBe(202);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, email, "email-change");
    platform.clock.advance(1);
    return LINK.exec(text)?.[1] ?? "";
  }

  const letters = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).map((line) => line.split(" ")[1]);

  const propertiesOf = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [
    status,
    body.violations?.map(({ property }: { property: string }) => property),
  ];

  const DEAD = [400, ["token"]];

  const emailOf = async ({ database }: TestPlatform, { uid }: Person) =>
    (
      await database
        .selectFrom("account")
        .select("identifier")
        .where("uid", "=", uid)
        .executeTakeFirstOrThrow()
    ).identifier;

  it("replaces the old one only by the link that is mailed to it", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const secret = await secretFor(platform, person);
    expect(await emailOf(platform, person)).toBe(person.email);
    for (let time = 0; time < 2; time++) {
      const { status, body } = await check(platform, person, secret);
      expect([status, body.payload]).toEqual([200, { email: NEW }]);
    }
    expect(await emailOf(platform, person)).toBe(person.email);
    const { status, body } = await confirm(platform, person, secret);
    expect([status, body]).toEqual([204, ""]);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect((await signIn(platform, NEW.toLowerCase())).status).toBe(200);
  });

  it("ends all sessions, and is told to both mailboxes", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const other = await back(platform, person);
    await confirm(platform, person, await secretFor(platform, person));
    await platform.runDueJobs();
    for (const { uid, token } of [person, other])
      expect((await platform.call(`GET /users/${uid}`, { token })).status).toBe(401);
    const former = await mailAbout(platform, person.email, "email-changed");
    expect(former.text).toContain("n’est plus celle de votre compte");
    expect(former.text).not.toContain(NEW);
    const present = await mailAbout(platform, NEW, "email-changed");
    expect(present.text).not.toContain(person.email);
    // What is written later about the contract goes to the new one.
    expect(await placesOf(platform, NEW)).toContain("contract_proof.corrected_email");
  });

  it("is told to the old mailbox when it is asked for, without naming it", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await ask(platform, person);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "email-change-asked");
    expect(text).toContain("https://cap.example/reset-password");
    expect(text).not.toContain(NEW);
    expect(text).not.toMatch(LINK);
  });

  it("is not asked for by a coach, nor given to one by a link from before", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    expect((await ask(platform, coach)).status).toBe(404);
    const person = await newPerson(platform);
    const secret = await secretFor(platform, person);
    await grantRole(platform.database, person.uid, "Solène", platform.clock.now());
    expect(propertiesOf(await check(platform, person, secret))).toEqual(DEAD);
    expect(propertiesOf(await confirm(platform, person, secret))).toEqual(DEAD);
    expect(await emailOf(platform, person)).toBe(person.email);
  });

  it("needs the current password", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const refused = await ask(platform, person, { currentPassword: "au hasard" });
    expect(propertiesOf(refused)).toEqual([400, ["currentPassword"]]);
    await platform.runDueJobs();
    expect(await letters(platform, NEW)).toEqual([]);
    expect(await letters(platform, person.email)).toEqual([]);
  });

  it("is not the one that the account has", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const refused = await ask(platform, person, { email: person.email });
    expect(propertiesOf(refused)).toEqual([400, ["email"]]);
  });

  it("may be the same in other capitals", async () => {
    const platform = await open();
    const person = await newPerson(platform, "zoe@exemple.fr");
    const secret = await secretFor(platform, person, "Zoe@Exemple.fr");
    expect((await confirm(platform, person, secret)).status).toBe(204);
    expect(await emailOf(platform, person)).toBe("Zoe@Exemple.fr");
  });

  it("gets the same answer and notice with and without an account", async () => {
    const platform = await open();
    const owner = await newPerson(platform);
    const [one, two] = [await newPerson(platform), await newPerson(platform)];
    const answers = [await ask(platform, one, { email: owner.email }), await ask(platform, two)];
    for (const { status, body, headers } of answers)
      expect([status, body, [...headers.keys()]]).toEqual([202, "", []]);
    await platform.runDueJobs();
    expect(await letters(platform, one.email)).toEqual(await letters(platform, two.email));
    expect(await letters(platform, owner.email)).toEqual(["email-taken"]);
    expect((await mailAbout(platform, owner.email, "email-taken")).text).not.toContain(one.email);
    expect(await letters(platform, NEW)).toEqual(["email-change"]);
  });

  it.each([
    ["after an hour", (platform: TestPlatform) => platform.clock.advance(60 * MINUTE_MS)],
    [
      "once the password is another one",
      (platform: TestPlatform, { uid, token }: Person) =>
        platform.call(`PUT /users/${uid}/password`, {
          token,
          body: { currentPassword: PASSWORD, password: "une autre orbite" },
        }),
    ],
    [
      "once a newer one is asked for",
      (platform: TestPlatform, person: Person) => secretFor(platform, person, "tiers@exemple.fr"),
    ],
    [
      "once somebody registers with its e-mail",
      (platform: TestPlatform) => newPerson(platform, NEW),
    ],
    [
      "once the site's owner has changed the e-mail",
      (platform: TestPlatform, { email: from }: Person) =>
        changeEmail(subscriptionContext(platform), { from, to: "juste@exemple.fr" }),
    ],
  ])("has a link that is dead %s", async (_, happen) => {
    const platform = await open();
    const person = await newPerson(platform);
    const secret = await secretFor(platform, person);
    expect((await check(platform, person, secret)).status).toBe(200);
    await happen(platform, person);
    const present = { ...person, email: await emailOf(platform, person) };
    const token = (await signIn(platform, present.email)).token ?? person.token;
    const before = await emailOf(platform, person);
    expect(propertiesOf(await check(platform, { ...person, token }, secret))).toEqual(DEAD);
    expect(propertiesOf(await confirm(platform, { ...person, token }, secret))).toEqual(DEAD);
    expect(await emailOf(platform, person)).toBe(before);
  });

  it("does nothing for another account that has the link", async () => {
    const platform = await open();
    const [person, other] = [await newPerson(platform), await newPerson(platform)];
    const secret = await secretFor(platform, person);
    expect(propertiesOf(await confirm(platform, other, secret))).toEqual(DEAD);
    expect(await emailOf(platform, other)).toBe(other.email);
    expect((await confirm(platform, person, secret)).status).toBe(204);
  });

  it("is taken once by a link that is used twice at once", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const secret = await secretFor(platform, person);
    const answers = await Promise.all([1, 2].map(() => confirm(platform, person, secret)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(204);
    expect([400, 401]).toContain(statuses[1]);
    await platform.runDueJobs();
    const told = (await letters(platform, NEW)).filter((kind) => kind === "email-changed");
    expect(told).toHaveLength(1);
  });

  it("goes to one of two accounts that take it at once", async () => {
    const platform = await open();
    const people = [await newPerson(platform), await newPerson(platform)];
    const links: [Person, string][] = [];
    for (const person of people) links.push([person, await secretFor(platform, person)]);
    const answers = await Promise.all(links.map((link) => confirm(platform, ...link)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it("goes to no account that is deleted meanwhile", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const secret = await secretFor(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 1);
    expect((await confirm(platform, person, secret)).status).toBe(401);
    expect(await platform.database.selectFrom("email_change").selectAll().execute()).toEqual([]);
    expect((await newPerson(platform, NEW)).email).toBe(NEW);
  });

  it("waits until a declaration of its owner is processed", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const secret = await secretFor(platform, person);
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /cancellations", { body });
    expect((await confirm(platform, person, secret)).status).toBe(409);
    await platform.runDueJobs();
    expect((await confirm(platform, person, secret)).status).toBe(204);
  });

  it.each([
    ["account", 5, (one: Person) => [one, `${crypto.randomUUID()}@exemple.fr`, undefined] as const],
    ["mailbox", 5, (_: Person, other: Person) => [other, NEW, undefined] as const],
  ])("is asked for so often in an hour per %s: %i times", async (_, most, next) => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let time = 0; time < most; time++) {
      const [asker, email] = next(person, await newPerson(platform));
      expect((await ask(platform, asker, { email })).status).toBe(202);
    }
    const [asker, email] = next(person, await newPerson(platform));
    expect((await ask(platform, asker, { email })).status).toBe(429);
    platform.clock.advance(60 * MINUTE_MS);
    expect((await ask(platform, asker, { email })).status).toBe(202);
  });

  it("is asked for twenty times in an hour per network", async () => {
    const platform = await open();
    const address = newAddress();
    const from = async () => {
      const email = `${crypto.randomUUID()}@exemple.fr`;
      return (await ask(platform, await newPerson(platform), { email, address })).status;
    };
    for (let time = 0; time < 20; time++) expect(await from()).toBe(202);
    expect(await from()).toBe(429);
  });

  it("is tried with ten wrong passwords, then not even with the right one", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    for (let guess = 0; guess < 10; guess++)
      expect((await ask(platform, person, { currentPassword: "au hasard" })).status).toBe(400);
    expect((await ask(platform, person)).status).toBe(429);
  });

  it("leaves nothing of a request after a day", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await secretFor(platform, person);
    await passDays(platform, 2);
    expect(await placesOf(platform, NEW)).toEqual(["mail.recipient"]);
  });
});
