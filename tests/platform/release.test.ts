import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newPage, newPerson, PASSWORD as CURRENT, rolesOf, signIn, type Person } from "./funnel";
import {
  back,
  ledgerOf,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
} from "./life";
import { openSubscribed } from "./reversals";

const END = "2026-11-27T10:00:00.000Z";
const PASSWORD = "une-autre-orbite";

onEachDatabase("the e-mail of an account that is leaving", (open) => {
  const register = (platform: TestPlatform, { email }: { email: string }) =>
    platform.call("POST /registrations/register", {
      body: { identifier: email, formula: "vip-mensuel", password: PASSWORD },
    });

  const release = (platform: TestPlatform, token: string) =>
    platform.call("POST /registrations/release", { body: { token } });

  const linkIn = (text: string) =>
    /https:\/\/cap\.example\/registration\/release\?token=(\S+)/.exec(text)?.[1] ?? "";

  const releaseMails = async (platform: TestPlatform, { email }: Person) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith("address-release"));

  /** Somebody who stopped; access lasts until the end of the trial. */
  async function stopped() {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    return { platform, person };
  }

  /** The secret mailed after somebody typed the e-mail to register. */
  async function asked(platform: TestPlatform, person: Person) {
    expect((await register(platform, person)).status).toBe(409);
    await platform.runDueJobs();
    return linkIn((await newestMail(platform, person.email)).text);
  }

  it("is not released by a registration attempt", async () => {
    const { platform, person } = await stopped();
    expect((await register(platform, person)).status).toBe(409);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    await passTo(platform, END);
    expect((await register(platform, person)).status).toBe(409);
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("is refused like any e-mail in use", async () => {
    const { platform, person } = await stopped();
    const member = await subscriber(platform);
    const answers = [await register(platform, person), await register(platform, member)];
    expect(answers[0]?.body).toEqual(answers[1]?.body);
    await platform.runDueJobs();
    expect(await releaseMails(platform, person)).toHaveLength(1);
    expect(await releaseMails(platform, member)).toEqual([]);
  });

  it("is released by the mailed link, not by opening it", async () => {
    const { platform, person } = await stopped();
    const token = await asked(platform, person);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await placesOf(platform, token)).toEqual([]);
    expect((await platform.call(`GET /registrations/release?token=${token}`)).status).toBe(404);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect((await release(platform, token)).body.payload).toEqual({ status: "released" });
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
    expect((await register(platform, person)).status).toBe(201);
    expect((await release(platform, token)).status).toBe(400);
    await passDays(platform, 10);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    expect((await signIn(platform, person.email, PASSWORD)).status).toBe(200);
  });

  it("has a link whose check releases nothing", async () => {
    const { platform, person } = await stopped();
    const token = await asked(platform, person);
    const check = () => platform.call("POST /registrations/release/check", { body: { token } });
    for (let time = 0; time < 2; time++) expect((await check()).status).toBe(200);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    await release(platform, token);
    const { status, body } = await check();
    expect([status, body]).toEqual([400, (await release(platform, token)).body]);
  });

  it("has a link whose check tells what others stopped", async () => {
    const { platform, person } = await stopped();
    const read = async (member: Person) => {
      const body = { token: await asked(platform, member) };
      return (await platform.call("POST /registrations/release/check", { body })).body.payload;
    };
    expect(await read(person)).toEqual({});
    const other = await subscriber(platform);
    const body = { name: "Ada", email: other.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    expect(await read(other)).toEqual({ hasUnsignedNotice: true, continuesIfUndone: true });
    // A stop of its owner stays when what others declared is undone.
    platform.clock.advance(60_000);
    const { token } = await back(platform, other);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(await read(other)).toEqual({});
  });

  it("has a mail that speaks of a stop by others where there is one", async () => {
    const { platform, person } = await stopped();
    await asked(platform, person);
    expect((await newestMail(platform, person.email)).text).not.toContain("sans connexion");
    const other = await subscriber(platform);
    const body = { name: "Ada", email: other.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    await asked(platform, other);
    expect((await newestMail(platform, other.email)).text).toContain("sans connexion");
  });

  it("has a link whose check tells that undoing keeps the account alone", async () => {
    const platform = await open();
    const person = await subscriber(platform, { card: "4000000009000003" });
    await passDays(platform, 10);
    const body = { name: "Ada", email: person.email };
    await platform.call("POST /cancellations", { body });
    await passDays(platform, 5);
    expect((await subscriptionOf(platform, person)).ended_at).not.toBeNull();
    const token = await asked(platform, person);
    const check = await platform.call("POST /registrations/release/check", { body: { token } });
    expect([check.status, check.body.payload]).toEqual([200, { hasUnsignedNotice: true }]);
  });

  it("is free without a link once the profile is deleted", async () => {
    const { platform, person } = await stopped();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    await platform.runDueJobs();
    expect((await register(platform, person)).status).toBe(201);
  });

  it("gets three valid links a day at most", async () => {
    const { platform, person } = await stopped();
    const first = await asked(platform, person);
    for (let time = 0; time < 5; time++) await asked(platform, person);
    expect(await releaseMails(platform, person)).toHaveLength(3);
    platform.clock.advance(23 * 3_600_000);
    expect((await release(platform, first)).status).toBe(200);
  });

  it("is not released by an expired or unknown link", async () => {
    const { platform, person } = await stopped();
    const token = await asked(platform, person);
    await passDays(platform, 1);
    for (const bad of [token, "unknown", "", "x".repeat(600)]) {
      const { status, body } = await release(platform, bad);
      expect([status, body.violations[0].property]).toEqual([400, "token"]);
    }
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(await releaseMails(platform, person)).toHaveLength(1);
    await asked(platform, person);
    expect(await releaseMails(platform, person)).toHaveLength(2);
  });

  it("is not released by a link older than the password", async () => {
    const { platform, person } = await stopped();
    const token = await asked(platform, person);
    const body = { currentPassword: CURRENT, password: PASSWORD };
    const path = `PUT /users/${person.uid}/password`;
    expect((await platform.call(path, { token: person.token, body })).status).toBe(204);
    expect((await release(platform, token)).status).toBe(400);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("is not released once the cancellation is undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /cancellations", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = await asked(platform, person);
    const undo = { token: /undo\?token=(\S+)/.exec(text)?.[1] };
    expect((await platform.call("POST /cancellations/undo", { body: undo })).status).toBe(200);
    expect((await release(platform, token)).status).toBe(400);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("waits for a refund while its link stays valid", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /withdrawals", { body: { name: "Ada", email: person.email } });
    await platform.runDueJobs();
    const early = await asked(platform, person);
    // A withdrawal that may still be undone: its money is due in a week.
    expect((await release(platform, early)).body.payload).toEqual({ status: "waiting" });
    await passDays(platform, 6.5);
    const token = await asked(platform, person);
    const own = await back(platform, person);
    await platform.call("POST /withdrawals", {
      token: own.token,
      body: { name: "Ada", email: person.email },
    });
    expect((await release(platform, token)).body.payload).toEqual({ status: "waiting" });
    expect((await signIn(platform, person.email)).status).toBe(200);
    await platform.runDueJobs();
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
    expect((await release(platform, token)).body.payload).toEqual({ status: "released" });
    expect((await register(platform, person)).status).toBe(201);
  });

  it("is released before the bank has closed its page", async () => {
    const { stripe, platform, person } = await openSubscribed(open, {
      card: { refusal: "insufficient_funds" },
    });
    await passDays(platform, 8);
    const { token } = await back(platform, person);
    await newPage(platform, { ...person, token });
    const own = { token, body: { name: "Ada Byron", email: person.email } };
    await platform.call("POST /cancellations", own);
    const link = await asked(platform, person);
    const registered: number[] = [];
    stripe.answerWith(async ({ line }) => {
      if (line.endsWith("/expire")) registered.push((await register(platform, person)).status);
      return null;
    });
    expect((await release(platform, link)).body.payload).toEqual({ status: "released" });
    expect(registered).toEqual([201]);
  });

  it("is released once by several simultaneous links", async () => {
    const { platform, person } = await stopped();
    const [one, other] = [await asked(platform, person), await asked(platform, person)];
    const answers = await Promise.all([one, other, one, other].map((it) => release(platform, it)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400]);
    const deleted = (await mailsTo(platform, person.email)).filter((line) =>
      line.endsWith("account-deleted"),
    );
    expect(deleted).toHaveLength(1);
  });

  it("without a stopped subscription gets no link", async () => {
    const platform = await open();
    const member = await newPerson(platform);
    await register(platform, member);
    await platform.runDueJobs();
    expect(await releaseMails(platform, member)).toEqual([]);
  });
});
