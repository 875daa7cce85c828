import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { forgetAccess } from "../../server/platform/accounts/forget-access";
import { lockAccount } from "../../server/platform/database/account-lock";
import { startMailServer } from "../support/mail-server";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { freePort } from "../support/port";
import { headersOf, newAddress, newPerson, PASSWORD, signIn, type From } from "./funnel";
import { back, DAY_MS, mailsTo, newestMail, passDays, placesOf } from "./life";

const NEW = "une autre orbite";
const MINUTE_MS = 60_000;
const LINK = /^https:\/\/cap\.example\/reset-password\/update\?token=([\w-]{43})$/m;

onEachDatabase("a new password by mail", (open) => {
  const ask = (platform: TestPlatform, identifier: string, from: From = {}) =>
    platform.call("POST /reset-password/request", {
      headers: headersOf(from),
      body: { identifier },
    });

  const update = (platform: TestPlatform, token: string, from: From = {}, password = NEW) =>
    platform.call("POST /reset-password/update", {
      headers: headersOf(from),
      body: { token, password },
    });

  /** Asks, and takes the secret out of the mail. */
  async function secretFor(platform: TestPlatform, email: string, typed = email) {
    await ask(platform, typed);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, email);
    platform.clock.advance(1);
    return LINK.exec(text)?.[1] ?? "";
  }

  const resets = ({ database }: TestPlatform) =>
    database.selectFrom("password_reset").selectAll().execute();

  const letters = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).map((line) => line.split(" ")[1]);

  it("answers the same for every e-mail", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const answers = [await ask(platform, email), await ask(platform, "personne@exemple.fr")];
    for (const { status, body, headers } of answers) {
      expect([status, body]).toEqual([202, ""]);
      expect([...headers.keys()]).toEqual([]);
    }
  });

  it("is not mailed, nor waited for, once another was set", async () => {
    const platform = await open();
    const { database, place } = platform;
    const { uid, email } = await newPerson(platform);
    await ask(platform, email);
    const isBlocked = sql`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    // What setting a password does, while the job of the request has begun.
    const jobs = await database.transaction().execute(async (transaction) => {
      await lockAccount(transaction, uid);
      const running = platform.runDueJobs();
      // SQLite lets one write after the other.
      if (place.databaseUrl) {
        await expect.poll(async () => (await isBlocked.execute(database)).rows).toHaveLength(1);
      }
      await forgetAccess(transaction, { uid, identifier: email });
      return { running };
    });
    await jobs.running;
    expect(await letters(platform, email)).not.toContain("password-reset");
    expect(await resets(platform)).toEqual([]);
  });

  it.each([
    ["sent", 50],
    ["dropped", 70],
  ])("is %s if the mail server comes back after %i minutes", async (outcome, minutes) => {
    const port = await freePort();
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}` });
    const { email } = await newPerson(platform);
    await ask(platform, email);
    await platform.runDueJobs();
    platform.clock.advance(minutes * MINUTE_MS);
    const server = await startMailServer({ port });
    onTestFinished(() => server.close());
    await passDays(platform, 1);
    const sent = server.mails.filter(({ text }) => LINK.test(text));
    expect(sent).toHaveLength(outcome === "sent" ? 1 : 0);
  });

  it("does the same work for known and unknown e-mails", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await ask(platform, email);
    await ask(platform, "personne@exemple.fr");
    const requests = await platform.database
      .selectFrom("password_reset_request")
      .selectAll()
      .execute();
    expect(requests).toHaveLength(2);
    expect(await resets(platform)).toEqual([]);
    const jobs = await platform.database
      .selectFrom("job")
      .select("payload")
      .where("kind", "=", "account.reset-password")
      .execute();
    expect(jobs.map(({ payload }) => Object.keys(JSON.parse(payload)))).toEqual([
      ["requestUid"],
      ["requestUid"],
    ]);
  });

  it("stores nothing about an e-mail without an account", async () => {
    const platform = await open();
    await ask(platform, "Personne@Exemple.fr");
    await platform.runDueJobs();
    expect(await placesOf(platform, "personne@exemple.fr")).toEqual([]);
    expect(await platform.database.selectFrom("mail").selectAll().execute()).toEqual([]);
  });

  it("lets its owner sign in, with the new one only", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email, ` ${email.toUpperCase()} `);
    const { status, body } = await update(platform, secret);
    expect([status, body]).toEqual([204, ""]);
    expect((await signIn(platform, email)).status).toBe(401);
    expect((await signIn(platform, email, NEW)).status).toBe(200);
  });

  it("stores the link's secret nowhere", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email);
    expect(Buffer.from(secret, "base64url")).toHaveLength(32);
    expect(await placesOf(platform, secret)).toEqual([]);
  });

  it("ends all sessions and confirms it by mail", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const other = await back(platform, person);
    await update(platform, await secretFor(platform, person.email));
    for (const { uid, token } of [person, other]) {
      expect((await platform.call(`GET /users/${uid}`, { token })).status).toBe(401);
    }
    expect(await letters(platform, person.email)).toEqual(["password-reset", "password-changed"]);
  });

  it("forgets the addresses of earlier sign-ins, and knows its own", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const [before, here] = [newAddress(), newAddress()];
    expect((await signIn(platform, email, PASSWORD, { address: before })).status).toBe(200);
    await update(platform, await secretFor(platform, email), { address: here });
    // As many guesses as lock an account for addresses that it is not known from.
    for (let guess = 0; guess < 100; guess++)
      await signIn(platform, email, "au hasard", { address: newAddress() });
    expect((await signIn(platform, email, NEW, { address: before })).status).toBe(429);
    expect((await signIn(platform, email, NEW, { address: here })).status).toBe(200);
  });

  it("is set once by a repeated link", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email);
    const answers = await Promise.all(
      ["premier choix", "second choix"].map((password) => update(platform, secret, {}, password)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
    const winner = answers[0]?.status === 204 ? "premier choix" : "second choix";
    expect((await signIn(platform, email, winner)).status).toBe(200);
    const late = await update(platform, secret);
    expect([late.status, late.body.violations]).toEqual([
      400,
      [{ property: "token", type: "invalid", message: "Unknown or expired link" }],
    ]);
  });

  it("is set once by two simultaneous links", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secrets = [await secretFor(platform, email), await secretFor(platform, email)];
    const answers = await Promise.all(secrets.map((secret) => update(platform, secret)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it("is set by an earlier link too, which invalidates all", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const [first, second] = [await secretFor(platform, email), await secretFor(platform, email)];
    expect(first).not.toBe(second);
    expect((await update(platform, first)).status).toBe(204);
    expect((await update(platform, second)).status).toBe(400);
    expect(await resets(platform)).toEqual([]);
  });

  it("is set within the hour only", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const [early, late] = [await secretFor(platform, email), await secretFor(platform, email)];
    // A millisecond passes after each: the first is an hour old, the second lacks one.
    platform.clock.advance(60 * MINUTE_MS - 2);
    expect((await update(platform, early)).status).toBe(400);
    expect((await update(platform, late)).status).toBe(204);
  });

  it("is refused to any other secret", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email);
    const [row] = await resets(platform);
    for (const token of [
      "x",
      secret.slice(1),
      `${secret}a`,
      row?.secret_hash ?? "",
      row?.uid ?? "",
    ])
      expect((await update(platform, token)).body.violations).toMatchObject([
        { property: "token", type: "invalid" },
      ]);
    expect((await signIn(platform, email)).status).toBe(200);
  });

  it("is still possible after opening the link and a restart", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email);
    expect((await platform.call(`GET /reset-password/update?token=${secret}`)).status).toBe(404);
    const again = await platform.reopen();
    expect((await update(again, secret)).status).toBe(204);
  });

  it("has a link whose check uses nothing up", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const secret = await secretFor(platform, email);
    const check = (token: string) =>
      platform.call("POST /reset-password/check", { body: { token } });
    for (let time = 0; time < 2; time++) expect((await check(secret)).status).toBe(204);
    expect((await update(platform, secret)).status).toBe(204);
    const late = await secretFor(platform, email);
    platform.clock.advance(60 * MINUTE_MS);
    for (const dead of [secret, late, "unknown"]) {
      const { status, body } = await check(dead);
      expect([status, body]).toEqual([400, (await update(platform, dead)).body]);
    }
  });

  it("is set for an account without one", async () => {
    const platform = await open();
    const body = { identifier: "ada@exemple.fr", formula: "vip-mensuel" };
    await platform.call("POST /registrations/register", { body });
    await update(platform, await secretFor(platform, body.identifier));
    expect((await signIn(platform, body.identifier, NEW)).status).toBe(200);
  });

  it("is mailed three times an hour per account", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    for (let time = 0; time < 5; time++) expect((await ask(platform, email)).status).toBe(202);
    await platform.runDueJobs();
    expect(await letters(platform, email)).toEqual(Array(3).fill("password-reset"));
    platform.clock.advance(59 * MINUTE_MS);
    await ask(platform, email);
    await platform.runDueJobs();
    expect(await letters(platform, email)).toHaveLength(3);
    platform.clock.advance(MINUTE_MS);
    await ask(platform, email);
    await platform.runDueJobs();
    expect(await letters(platform, email)).toHaveLength(4);
  });

  it("is refused to blocked and deleted accounts", async () => {
    const platform = await open();
    const [ada, bob, eve] = [
      await newPerson(platform),
      await newPerson(platform),
      await newPerson(platform),
    ];
    const secret = await secretFor(platform, eve.email);
    await platform.database
      .updateTable("account")
      .set({ status: "blocked" })
      .where("uid", "in", [ada.uid, eve.uid])
      .execute();
    await ask(platform, bob.email);
    await platform.call(`DELETE /users/${bob.uid}`, { token: bob.token });
    await ask(platform, ada.email);
    await ask(platform, bob.email);
    await platform.runDueJobs();
    expect(await letters(platform, ada.email)).toEqual([]);
    expect(await letters(platform, bob.email)).toEqual(["account-deleted"]);
    expect((await update(platform, secret)).status).toBe(400);
  });

  it("is requested twenty times an hour per address", async () => {
    const platform = await open();
    const from = { address: "203.0.113.5" };
    for (let time = 0; time < 20; time++) {
      expect((await ask(platform, `${time}@exemple.fr`, from)).status).toBe(202);
    }
    const again = await platform.reopen();
    const refused = await ask(again, "encore@exemple.fr", from);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect((await ask(again, "encore@exemple.fr", { address: "203.0.113.6" })).status).toBe(202);
    again.clock.advance(60 * MINUTE_MS);
    expect((await ask(again, "encore@exemple.fr", from)).status).toBe(202);
  });

  it("links to the site where its owner signed in", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await platform.fetch(
      new Request("https://evil.example/api/reset-password/request", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ identifier: email }),
      }),
    );
    await platform.runDueJobs();
    const { text, html } = await newestMail(platform, email);
    expect(text).toMatch(LINK);
    expect(text + html).not.toContain("evil");
  });

  it("leaves no link in the database after a day", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await secretFor(platform, email);
    await passDays(platform, 1);
    expect(await resets(platform)).toEqual([]);
  });

  it("deletes the request even without its job", async () => {
    const platform = await open();
    await ask(platform, "personne@exemple.fr");
    await platform.database
      .updateTable("job")
      .set({ run_at: "9999-01-01T00:00:00.000Z" })
      .where("kind", "=", "account.reset-password")
      .execute();
    platform.clock.advance(2 * DAY_MS);
    await platform.runDueJobs();
    expect(await placesOf(platform, "personne@exemple.fr")).toEqual([]);
  });

  it("leaves the old one valid until it is set", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await secretFor(platform, email);
    expect((await signIn(platform, email, PASSWORD)).status).toBe(200);
  });
});
