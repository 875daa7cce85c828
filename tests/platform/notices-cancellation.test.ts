import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newPerson, rolesOf, type Person } from "./funnel";
import {
  back,
  ledgerOf,
  loseCard,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
} from "./life";

const NOW = "2026-11-20T10:00:00.000Z";

onEachDatabase("a cancellation by anybody", (open) => {
  const notify = (platform: TestPlatform, email: string, more: object = {}) =>
    platform.call("POST /cancellations", { body: { name: "Ada Byron", email, ...more } });

  const undo = (platform: TestPlatform, token: string) =>
    platform.call("POST /cancellations/undo", { body: { token } });

  async function secretMailedTo(platform: TestPlatform, { email }: Person) {
    const { text } = await newestMail(platform, email);
    const link = /https:\/\/cap\.example\/cancel-contract\/undo\?token=(\S+)/.exec(text);
    return link?.[1] ?? "";
  }

  async function cancelled() {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person.email);
    await platform.runDueJobs();
    return { platform, person };
  }

  it("answers the same whether or not there is one", async () => {
    const platform = await open();
    const { email } = await subscriber(platform);
    const answers = [await notify(platform, email), await notify(platform, "personne@exemple.fr")];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(202);
      expect(Object.keys(body.payload).sort()).toEqual(["awaitsConfirmation", "receivedAt", "uid"]);
      expect(body.payload).toMatchObject({ receivedAt: NOW, awaitsConfirmation: false });
      expect(headers.get("next-token")).toBeNull();
    }
    const jobs = await platform.database
      .selectFrom("job")
      .select("kind")
      .where("kind", "=", "notice.process")
      .execute();
    expect(jobs).toHaveLength(2);
  });

  it("stops the renewal as the account page does", async () => {
    const { platform, person } = await cancelled();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Ada Byron");
    expect(text).toMatch(/20\snov\.\s2026\sà\s11:00/);
    expect(text).toMatch(/27\snov\.\s2026\sà\s11:00/);
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    expect(await rolesOf(platform, person)).toEqual({});
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("finds the contract however the e-mail is typed", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, `  ${person.email.toUpperCase()} `);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
  });

  it("finds the contract by its reference, and writes there", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await notify(platform, "autre@exemple.fr", { reference, date: "2026-12-01" });
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    expect(await mailsTo(platform, "autre@exemple.fr")).toEqual([]);
    expect(await mailsTo(platform, person.email)).toHaveLength(3);
  });

  it("tells by mail only that nothing was found", async () => {
    const platform = await open();
    await notify(platform, "personne@exemple.fr");
    await platform.runDueJobs();
    const { text } = await newestMail(platform, "personne@exemple.fr");
    expect(text).toMatch(/aucun abonnement/);
    expect(text).not.toContain("undo");
  });

  it("finds none for who never paid or has left", async () => {
    const { platform, person } = await cancelled();
    const member = await newPerson(platform);
    await passDays(platform, 60);
    for (const { email } of [person, member]) {
      await notify(platform, email);
      await platform.runDueJobs();
      expect((await newestMail(platform, email)).text).toMatch(/aucun abonnement/);
    }
  });

  it("is undone by its link, which opening leaves alone", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    expect((await platform.call(`GET /cancellations/undo?token=${secret}`)).status).toBe(404);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    for (let time = 0; time < 2; time++) {
      const { status, body } = await undo(platform, secret);
      expect([status, body]).toEqual([200, { payload: { status: "undone" } }]);
    }
    expect(
      (await mailsTo(platform, person.email)).filter((line) => /undone/.test(line)),
    ).toHaveLength(1);
    await passDays(platform, 8);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
  });

  it("is undone even after the period ended", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 5);
    await notify(platform, person.email);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 6);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-11-27T10:00:00.000Z",
    });
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "undone" });
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      expires_at: "2027-01-01T10:00:00.000Z",
    });
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("keeps the profile for as long as that", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 5);
    await notify(platform, person.email);
    const register = () =>
      platform.call("POST /registrations/register", {
        body: { identifier: person.email, formula: "vip-mensuel", password: "une-autre-orbite" },
      });
    await passTo(platform, "2026-12-02T09:59:59.999Z");
    expect((await register()).status).toBe(409);
    await passTo(platform, "2026-12-02T10:00:00.000Z");
    expect((await register()).status).toBe(201);
  });

  it.each(["", "unknown", "x".repeat(600)])("refuses the link %j", async (token) => {
    const { platform } = await cancelled();
    const { status, body } = await undo(platform, token);
    expect([status, body.violations[0].property]).toEqual([400, "token"]);
  });

  it("refuses its link after seven days", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 7);
    expect((await undo(platform, secret)).status).toBe(400);
  });

  it("keeps only the hash of its link's secret once it is sent", async () => {
    const { platform, person } = await cancelled();
    const secret = await secretMailedTo(platform, person);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await placesOf(platform, secret)).toEqual([]);
  });

  it("undoes no stop that the person made", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/déjà arrêté/);
    expect(text).not.toContain("undo");
  });

  it("of an unpaid renewal ends it at once", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 8);
    await notify(platform, person.email);
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({});
    await passDays(platform, 10);
    expect(await ledgerOf(platform, person.email)).toHaveLength(3);
  });

  it("fills no letter box by repetition", async () => {
    const platform = await open();
    for (let time = 0; time < 12; time++) await notify(platform, "victime@exemple.fr");
    await platform.runDueJobs();
    expect(await mailsTo(platform, "victime@exemple.fr")).toHaveLength(5);
  });

  it("asks for a name and an e-mail", async () => {
    const platform = await open();
    const { status, body } = await platform.call("POST /cancellations", { body: { email: "x" } });
    expect(status).toBe(400);
    expect(body.violations.map((violation: { property: string }) => violation.property)).toEqual([
      "name",
      "email",
    ]);
  });
});
