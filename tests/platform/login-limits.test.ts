import { expect, it } from "vitest";
import { checkPassword } from "../../server/platform/accounts/attempts";
import { passwordMatches } from "../../server/platform/accounts/passwords";
import { limit } from "../../server/platform/limits/limit";
import { LOGIN_FAILURES_OF_ACCOUNT_AT_ADDRESS } from "../../server/platform/limits/rules";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newAddress, newPerson, PASSWORD, signIn } from "./funnel";
import { newestMail, passDays } from "./life";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const WRONG = "au hasard";

onEachDatabase("failed sign-ins", (open) => {
  const enter = (platform: TestPlatform, email: string, address: string, password = PASSWORD) =>
    signIn(platform, email, password, { address });

  /** Wrong passwords, one after the other. */
  async function fail(platform: TestPlatform, email: string, address: string, times: number) {
    for (let time = 0; time < times; time++) {
      expect((await enter(platform, email, address, WRONG)).status).toBe(401);
      platform.clock.advance(SECOND);
    }
  }

  /** Wrong passwords from all over the world. */
  async function attack(platform: TestPlatform, email: string, times = 100) {
    const answers = await Promise.all(
      Array.from({ length: times }, () => enter(platform, email, newAddress(), WRONG)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(times).fill(401));
  }

  it("block the eleventh from there for a stated time", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    await fail(platform, email, address, 10);
    const refused = await enter(platform, email, address);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "890"]);
    expect(refused.body).toEqual({ message: "Too many attempts; try again in 890 seconds" });
    platform.clock.advance(889 * SECOND);
    expect((await enter(platform, email, address)).status).toBe(429);
    platform.clock.advance(SECOND);
    expect((await enter(platform, email, address)).status).toBe(200);
  });

  it("block neither others there nor the account elsewhere", async () => {
    const platform = await open();
    const [ada, bob] = [await newPerson(platform), await newPerson(platform)];
    const address = newAddress();
    await fail(platform, ada.email, address, 10);
    expect((await enter(platform, bob.email, address)).status).toBe(200);
    expect((await enter(platform, ada.email, newAddress())).status).toBe(200);
  });

  it("do not reveal accounts", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const [here, there] = [newAddress(), newAddress()];
    await fail(platform, email, here, 10);
    platform.clock.advance(-10 * SECOND);
    await fail(platform, "personne@exemple.fr", there, 10);
    const known = await enter(platform, email, here, WRONG);
    const unknown = await enter(platform, "personne@exemple.fr", there, WRONG);
    expect([unknown.status, unknown.body]).toEqual([429, known.body]);
  });

  it("count however the e-mail is written", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    await fail(platform, email, address, 5);
    await fail(platform, ` ${email.toUpperCase()}`, address, 5);
    expect((await enter(platform, email, address)).status).toBe(429);
  });

  it("hold after a restart and in every process", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    const other = await open({ ...platform.place, clock: platform.clock });
    await fail(platform, email, address, 4);
    await fail(other, email, address, 3);
    const again = await platform.reopen();
    await fail(again, email, address, 3);
    expect((await enter(again, email, address)).status).toBe(429);
    expect((await enter(other, email, address)).status).toBe(429);
  });

  it("also limit simultaneous attempts", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => enter(platform, email, address, WRONG)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it("are not counted when the password was right", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    await fail(platform, email, address, 9);
    for (let time = 0; time < 12; time++) {
      expect((await enter(platform, email, address)).status).toBe(200);
    }
    await platform.database.updateTable("account").set({ status: "blocked" }).execute();
    for (let time = 0; time < 12; time++) {
      expect((await enter(platform, email, address)).status).toBe(403);
    }
  });

  it("leave thirty successes in a quarter of an hour", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const [here, there] = [newAddress(), newAddress()];
    for (let time = 0; time < 30; time++) {
      expect((await enter(platform, email, here)).status).toBe(200);
    }
    const refused = await enter(platform, email, here);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
    expect((await enter(platform, email, there)).status).toBe(200);
    platform.clock.advance(15 * MINUTE);
    expect((await enter(platform, email, here)).status).toBe(200);
  });

  it("are not counted when the server was busy", async () => {
    const { database: db, clock } = await open();
    const uid = await limit(db, clock, LOGIN_FAILURES_OF_ACCOUNT_AT_ADDRESS, "somebody");
    // As many as wait at most: the next one of their network is asked to come back in a moment.
    const crowd = Array.from({ length: 200 }, (_, n) =>
      passwordMatches(`192.0.2.${n}`, null, WRONG),
    );
    const busy = checkPassword(
      { db },
      { subject: "192.0.2.200", failureEvents: [uid], successEvents: [] },
      null,
      WRONG,
    );
    await expect(busy).rejects.toMatchObject({ status: 429, headers: { "retry-after": "2" } });
    await Promise.all(crowd);
    expect(await db.selectFrom("limited_event").selectAll().execute()).toEqual([]);
  });

  it("on a hundred accounts block the address", async () => {
    const platform = await open();
    const [known, stranger] = [await newPerson(platform), await newPerson(platform)];
    const address = newAddress();
    expect((await enter(platform, known.email, address)).status).toBe(200);
    const statuses = [];
    // As many at once as one address may have in hand.
    for (let round = 0; round < 5; round++) {
      const guesses = Array.from({ length: 20 }, (_, n) =>
        enter(platform, `${round}.${n}@exemple.fr`, address, WRONG),
      );
      statuses.push(...(await Promise.all(guesses)).map(({ status }) => status));
    }
    expect(statuses).toEqual(Array(100).fill(401));
    expect((await enter(platform, stranger.email, address)).status).toBe(429);
    expect((await enter(platform, stranger.email, newAddress())).status).toBe(200);
    // Who signed in from there before shares the address with whoever guesses, not their limit.
    expect((await enter(platform, known.email, address)).status).toBe(200);
    platform.clock.advance(15 * MINUTE);
    expect((await enter(platform, stranger.email, address)).status).toBe(200);
  });

  it("on a thousand accounts block the network, successes left out", async () => {
    const platform = await open();
    const [known, stranger] = [await newPerson(platform), await newPerson(platform)];
    const home = "2001:db8:a:1000::1";
    const at = platform.clock.now().toISOString();
    const event = { scope: "login.address.network", subject: "2001:db8:a::/48", at };
    const failures = Array.from({ length: 999 }, (_, n) => ({ ...event, uid: `failure.${n}` }));
    await platform.database.insertInto("limited_event").values(failures).execute();
    expect((await enter(platform, known.email, home)).status).toBe(200);
    await fail(platform, "personne@exemple.fr", "2001:db8:a:1100::1", 1);
    expect((await enter(platform, stranger.email, "2001:db8:a:1200::1")).status).toBe(429);
    expect((await enter(platform, stranger.email, "2001:db8:b:1200::1")).status).toBe(200);
    expect((await enter(platform, known.email, home)).status).toBe(200);
  });

  it("of a hundred strangers never block the owner", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const home = newAddress();
    expect((await enter(platform, email, home)).status).toBe(200);
    await attack(platform, email);
    const refused = await enter(platform, email, newAddress());
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "900"]);
    const again = await platform.reopen();
    expect((await enter(again, email, home)).status).toBe(200);
    expect((await enter(again, email, newAddress())).status).toBe(429);
    again.clock.advance(15 * MINUTE);
    expect((await enter(again, email, newAddress())).status).toBe(200);
  });

  it("that continue lock longer, four hours at most", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const locks = [];
    await attack(platform, email);
    for (let round = 0; round < 7; round++) {
      const refused = await enter(platform, email, newAddress());
      const seconds = Number(refused.headers.get("retry-after"));
      locks.push(seconds / 60);
      // Told to a second: before there is no way in, from then on there is.
      platform.clock.advance((seconds - 1) * SECOND);
      expect((await enter(platform, email, newAddress())).status).toBe(429);
      platform.clock.advance(SECOND);
      expect((await enter(platform, email, newAddress())).status).toBe(200);
      await attack(platform, email, 10);
    }
    expect(locks).toEqual([15, 30, 60, 120, 240, 240, 240]);
  });

  it("block strangers at unknown accounts too", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const answers = [];
    for (const identifier of [email, "personne@exemple.fr"]) {
      await attack(platform, identifier);
      const { status, headers, body } = await enter(platform, identifier, newAddress());
      answers.push([status, headers.get("retry-after"), body]);
    }
    expect(answers[0]?.slice(0, 2)).toEqual([429, "900"]);
    expect(answers[1]).toEqual(answers[0]);
  });

  it("leave the reset by mail open everywhere", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await attack(platform, email);
    const headers = { "x-client-address": newAddress() };
    await fail(platform, "autre@exemple.fr", headers["x-client-address"], 1);
    await platform.call("POST /reset-password/request", { headers, body: { identifier: email } });
    await platform.runDueJobs();
    const [, token] = /token=([\w-]+)/.exec((await newestMail(platform, email)).text) ?? [];
    const body = { token, password: "une autre orbite" };
    expect((await platform.call("POST /reset-password/update", { headers, body })).status).toBe(
      204,
    );
    const here = headers["x-client-address"];
    expect((await enter(platform, email, here, body.password)).status).toBe(200);
    expect((await enter(platform, email, newAddress(), body.password)).status).toBe(429);
  });

  it("are reset by a new password", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const address = newAddress();
    await fail(platform, email, address, 10);
    await platform.call("POST /reset-password/request", { body: { identifier: email } });
    await platform.runDueJobs();
    const [, token] = /token=([\w-]+)/.exec((await newestMail(platform, email)).text) ?? [];
    await platform.call("POST /reset-password/update", {
      headers: { "x-client-address": address },
      body: { token, password: PASSWORD },
    });
    expect((await enter(platform, email, address)).status).toBe(200);
  });

  it("block an owner absent for ninety days", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    const home = newAddress();
    await enter(platform, email, home);
    await passDays(platform, 89);
    await attack(platform, email);
    expect((await enter(platform, email, home)).status).toBe(200);
    await passDays(platform, 90);
    await attack(platform, email);
    expect((await enter(platform, email, home)).status).toBe(429);
  });

  it("without an address block the owner too", async () => {
    const platform = await open();
    const { email } = await newPerson(platform);
    await attack(platform, email);
    expect((await signIn(platform, email)).status).toBe(429);
  });

  it("leave no e-mail, and no address after a day", async () => {
    const platform = await open();
    const address = newAddress();
    await fail(platform, "personne@exemple.fr", address, 3);
    const events = () => platform.database.selectFrom("limited_event").selectAll().execute();
    expect(JSON.stringify(await events())).not.toContain("personne");
    await passDays(platform, 2);
    expect(await events()).toEqual([]);
  });
});
