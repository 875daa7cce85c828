import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import {
  CARDS,
  newPage,
  newPerson,
  paymentLink,
  post,
  rolesOf,
  signIn,
  type Person,
} from "./funnel";
import {
  back,
  ledgerOf,
  loseCard,
  mailsTo,
  passDays,
  passTo,
  placesOf,
  subscriber,
  subscriptionOf,
} from "./life";

const END = "2026-11-27T10:00:00.000Z";

onEachDatabase("a stopped subscription", (open) => {
  const unsubscribe = (platform: TestPlatform, { token }: Person) =>
    platform.call("POST /subscriptions/unsubscribe", { token, body: {} });

  async function stopped() {
    const platform = await open();
    const person = await subscriber(platform);
    expect((await unsubscribe(platform, person)).status).toBe(202);
    return { platform, person };
  }

  it("is shown as stopping until the period ends", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { status, body } = await unsubscribe(platform, person);
    expect([status, body]).toEqual([202, { payload: { status: "in process", endsAt: END } }]);
    const { body: seen } = await platform.call("GET /subscriptions", { token: person.token });
    expect(seen.payload).toMatchObject({
      cancelledDateTime: "2026-11-20T10:00:00.000Z",
      endedDateTime: null,
    });
    await passTo(platform, "2026-11-27T09:59:59.999Z");
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("cannot be stopped twice or without a contract", async () => {
    const { platform, person } = await stopped();
    expect((await unsubscribe(platform, person)).status).toBe(409);
    expect((await unsubscribe(platform, await newPerson(platform))).status).toBe(404);
    expect((await unsubscribe(platform, { ...person, token: "none" })).status).toBe(401);
    await passTo(platform, END);
    expect((await unsubscribe(platform, await back(platform, person))).status).toBe(404);
  });

  it("is stopped once by many simultaneous requests", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => unsubscribe(platform, person)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(9).fill(409)]);
    expect(await mailsTo(platform, person.email)).toHaveLength(3);
  });

  it("ends with its period, and is charged no more", async () => {
    const { platform, person } = await stopped();
    await passTo(platform, END);
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload).toMatchObject({ endedDateTime: END });
    expect(await rolesOf(platform, person)).toEqual({});
    expect(await mailsTo(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z welcome",
      "2026-11-20T10:00:00.000Z receipt",
      "2026-11-20T10:00:00.000Z stop",
      `${END} ended`,
    ]);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("is not sold again before the profile is deleted", async () => {
    const { platform, person } = await stopped();
    expect((await paymentLink(platform, person)).status).toBe(409);
    await passTo(platform, END);
    expect((await paymentLink(platform, person)).status).toBe(409);
  });

  it("has its profile deleted a day later", async () => {
    const { platform, person } = await stopped();
    await platform.call(`PUT /users/${person.uid}/metadata`, {
      token: person.token,
      body: { profile: { name: "Zoé de Nulle-Part" } },
    });
    await passTo(platform, "2026-11-28T09:59:59.999Z");
    expect((await signIn(platform, person.email)).status).toBe(200);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect(await placesOf(platform, "Nulle-Part")).toEqual([]);
    // The sandbox bank is somebody else: it keeps its own books. The archive is apart from profiles.
    expect(await placesOf(platform, person.email)).toEqual([
      "bank_movement.email",
      "bank_page.email",
      "contract_proof.email",
    ]);
  });

  it("keeps its payments without personal data", async () => {
    const { platform, person } = await stopped();
    await passDays(platform, 30);
    const payments = await platform.database.selectFrom("payment").selectAll().execute();
    expect(payments).toMatchObject([
      {
        account_uid: person.uid,
        amount: 100,
        status: "success",
        card_reference: null,
        card_hint: null,
      },
    ]);
    const accounts = await platform.database.selectFrom("account").selectAll().execute();
    expect(accounts).toMatchObject([
      { uid: person.uid, status: "deleted", password_hash: null, metadata: "{}" },
    ]);
    const sessions = await platform.database.selectFrom("account_session").selectAll().execute();
    expect(sessions).toEqual([]);
  });

  it("frees its e-mail for a new registration", async () => {
    const { platform, person } = await stopped();
    await passDays(platform, 30);
    const again = await newPerson(platform, person.email.toUpperCase());
    expect(again.uid).not.toBe(person.uid);
    const answer = await platform.call("GET /subscriptions", { token: again.token });
    expect(answer.status).toBe(404);
    await post(platform, await newPage(platform, again));
    expect(await rolesOf(platform, again)).toEqual({ vip: true });
  });

  it("frees its e-mail once the profile is deleted", async () => {
    const { platform, person } = await stopped();
    const register = () =>
      platform.call("POST /registrations/register", {
        body: { identifier: person.email, formula: "vip-mensuel", password: "une-autre-orbite" },
      });
    expect((await register()).status).toBe(409);
    await passTo(platform, END);
    expect((await register()).status).toBe(409);
    await passDays(platform, 1);
    await platform.runDueJobs();
    expect((await register()).status).toBe(201);
    await passDays(platform, 3);
    expect((await signIn(platform, person.email, "une-autre-orbite")).status).toBe(200);
  });

  it("in grace keeps its days without another charge", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    const page = await newPage(platform, person);
    const { body } = await unsubscribe(platform, person);
    const graceEnd = "2026-12-04T10:00:00.000Z";
    expect(body.payload).toEqual({ status: "in process", endsAt: graceEnd });
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    await post(platform, page);
    await passTo(platform, graceEnd);
    expect(await rolesOf(platform, person)).toEqual({});
    await passDays(platform, 9);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("in grace has its profile deleted a day after those days", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    await unsubscribe(platform, person);
    await passTo(platform, "2026-12-05T09:59:59.999Z");
    expect((await signIn(platform, person.email)).status).toBe(200);
    await passTo(platform, "2026-12-05T10:00:00.000Z");
    expect((await signIn(platform, person.email)).status).toBe(401);
  });
});

onEachDatabase("a person who asks for deletion", (open) => {
  it("is deleted and charged no more", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const answer = await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    expect(answer.status).toBe(202);
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
    expect(await mailsTo(platform, person.email)).toContain(
      "2026-11-20T10:00:00.000Z account-deleted",
    );
    await passDays(platform, 60);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    expect(await placesOf(platform, person.email)).toEqual([
      "bank_movement.email",
      "bank_page.email",
      "contract_proof.email",
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-11-20T10:00:00.000Z",
    });
  });

  it("can pay nothing on an open page", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    const page = await newPage(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await post(platform, page);
    expect(await ledgerOf(platform, person.email)).toEqual([]);
  });

  it("is refunded a later decision of the bank", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.pending });
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 1);
    const moved = await platform.database
      .selectFrom("bank_movement")
      .select(["kind", "amount", "status"])
      .orderBy("kind")
      .execute();
    expect(moved).toEqual([
      { kind: "charge", amount: 100, status: "success" },
      { kind: "refund", amount: 100, status: "success" },
    ]);
  });

  it("can delete only their own account", async () => {
    const platform = await open();
    const [ada, bob] = [await newPerson(platform), await newPerson(platform)];
    const other = await platform.call(`DELETE /users/${bob.uid}`, { token: ada.token });
    expect(other.status).toBe(404);
    expect((await platform.call(`DELETE /users/${bob.uid}`)).status).toBe(401);
    expect((await signIn(platform, bob.email)).status).toBe(200);
  });
});
