import { expect, it } from "vitest";
import { withdrawalDeadline } from "../../server/platform/notices/deadline";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, post, rolesOf } from "./funnel";
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

const NOW = "2026-11-20T10:00:00.000Z";

it.each([
  ["a Friday", "2026-11-20T10:00:00.000Z", "2026-12-04T23:00:00.000Z"],
  ["a Saturday", "2026-11-21T10:00:00.000Z", "2026-12-07T23:00:00.000Z"],
  ["Christmas, a Friday", "2026-12-11T10:00:00.000Z", "2026-12-28T23:00:00.000Z"],
  ["Easter Monday", "2027-03-15T10:00:00.000Z", "2027-03-30T22:00:00.000Z"],
  ["Ascension, a Thursday", "2027-04-22T10:00:00.000Z", "2027-05-07T22:00:00.000Z"],
  ["late in the evening in Paris", "2026-11-19T23:30:00.000Z", "2026-12-04T23:00:00.000Z"],
])("the right to withdraw lasts fourteen days: %s", (_, contractAt, expected) => {
  expect(withdrawalDeadline(new Date(contractAt)).toISOString()).toBe(expected);
});

onEachDatabase("a withdrawal", (open) => {
  const notify = (platform: TestPlatform, { email }: { email: string }, token?: string) =>
    platform.call("POST /withdrawals", {
      ...(token && { token }),
      body: { name: "Ada Byron", email },
    });

  const confirm = (platform: TestPlatform, token: string) =>
    platform.call("POST /withdrawals/confirm", { body: { token } });

  const undo = (platform: TestPlatform, token: string) =>
    platform.call("POST /withdrawals/undo", { body: { token } });

  async function secretMailedTo(platform: TestPlatform, { email }: { email: string }) {
    const { text } = await newestMail(platform, email);
    const link = /https:\/\/cap\.example\/withdrawal\/confirm\?token=(\S+)/.exec(text);
    return link?.[1] ?? "";
  }

  /** By somebody who is not signed in. */
  async function notified() {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person);
    await platform.runDueJobs();
    return { platform, person, secret: await secretMailedTo(platform, person) };
  }

  it("by the signed-in owner takes effect at once", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { status, body } = await notify(platform, person, person.token);
    expect([status, body.payload]).toMatchObject([
      202,
      { receivedAt: NOW, awaitsConfirmation: false },
    ]);
    expect(await rolesOf(platform, person)).toEqual({});
    const { text } = await platform.database
      .selectFrom("mail")
      .select("text")
      .where("key", "like", "notice:%")
      .executeTakeFirstOrThrow();
    expect(text).toMatch(/20\snov\.\s2026\sà\s11:00/);
    expect(text).toContain("Ada Byron");
    await platform.runDueJobs();
    expect(await ledgerOf(platform, person.email)).toEqual([
      `${NOW} charge 100 success`,
      `${NOW} refund 100 success`,
    ]);
    expect((await mailsTo(platform, person.email)).slice(2)).toEqual([
      `${NOW} ended`,
      `${NOW} notice`,
      `${NOW} refund`,
    ]);
  });

  it("without sign-in waits for the mailed link", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    expect((await notify(platform, person)).body.payload).toMatchObject({
      awaitsConfirmation: true,
    });
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    expect((await platform.call(`GET /withdrawals/confirm?token=${secret}`)).status).toBe(404);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect((await confirm(platform, secret)).body.payload).toEqual({ status: "confirmed" });
    expect(await rolesOf(platform, person)).toEqual({});
    await platform.runDueJobs();
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("by another signed-in account waits too", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const other = await subscriber(platform);
    await notify(platform, person, other.token);
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(await ledgerOf(platform, other.email)).toHaveLength(1);
  });

  it("of another's contract waits, whatever e-mail is typed", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    for (const stranger of [await newPerson(platform), await subscriber(platform)]) {
      const { body } = await platform.call("POST /withdrawals", {
        token: stranger.token,
        body: { name: "x", email: stranger.email, reference },
      });
      expect(body.payload).toMatchObject({ awaitsConfirmation: true });
    }
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: null });
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    const secret = await secretMailedTo(platform, person);
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "undone" });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("of a former contract waits for its mailed link", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 9);
    const { token } = await newPerson(platform, person.email);
    const { body } = await notify(platform, person, token);
    expect(body.payload).toMatchObject({ awaitsConfirmation: true });
    await platform.runDueJobs();
    expect(await refundsOf(platform)).toEqual([]);
    expect((await confirm(platform, await secretMailedTo(platform, person))).status).toBe(200);
    expect(await refundsOf(platform)).toHaveLength(1);
  });

  it("names a former contract by reference, whoever came after", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 9);
    const stranger = await newPerson(platform, person.email);
    await post(platform, await newPage(platform, stranger), { cardNumber: CARDS.success });
    const named = { name: "Ada Byron", email: person.email, reference };
    await platform.call("POST /withdrawals", { body: named });
    await platform.runDueJobs();
    await confirm(platform, await secretMailedTo(platform, person));
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
    expect(await subscriptionOf(platform, stranger)).toMatchObject({ withdrawn_at: null });
    const other = { name: "x", email: "autre@exemple.fr", reference };
    await platform.call("POST /withdrawals", { body: other });
    await platform.runDueJobs();
    expect((await newestMail(platform, other.email)).text).toMatch(/aucun abonnement/);
  });

  it("gives back all payments, however often it is sent", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 8);
    const { token } = await back(platform, person);
    await notify(platform, person);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await Promise.all([
      ...Array.from({ length: 6 }, () => notify(platform, person, token)),
      ...Array.from({ length: 6 }, () => confirm(platform, secret)),
    ]);
    await Promise.all(Array.from({ length: 4 }, () => platform.runDueJobs()));
    await passDays(platform, 0.5);
    const refunds = (await ledgerOf(platform, person.email)).filter((line) => /refund/.test(line));
    expect(refunds.map((line) => line.split(" ")[2]).sort()).toEqual(["100", "990"]);
  });

  it("counts from the day it came, not the confirmation", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 14);
    await notify(platform, person);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await passDays(platform, 3);
    expect((await confirm(platform, secret)).status).toBe(200);
    await passDays(platform, 0.1);
    expect(await ledgerOf(platform, person.email)).toHaveLength(4);
  });

  it("after the fourteenth day changes nothing, and says so", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 15);
    expect((await notify(platform, person)).status).toBe(202);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toMatch(
      /depuis quatorze jours ou moins/,
    );
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
  });

  it("answers the same where there is no contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const answers = [
      await notify(platform, person),
      await notify(platform, { email: "a@exemple.fr" }),
    ];
    const shapes = answers.map(({ status, body: { payload } }) => [
      status,
      { ...payload, uid: "" },
    ]);
    expect(shapes[0]).toEqual(shapes[1]);
    await platform.runDueJobs();
    expect((await newestMail(platform, "a@exemple.fr")).text).toMatch(/aucun abonnement/);
  });

  it("without sign-in stops the billing at once", async () => {
    const { platform, person } = await notified();
    expect(await subscriptionOf(platform, person)).toMatchObject({
      cancelled_at: NOW,
      ended_at: null,
      withdrawn_at: null,
    });
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("without sign-in is refunded after a silent week", async () => {
    const { platform, person, secret } = await notified();
    await passTo(platform, "2026-11-27T09:59:59.999Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    await passTo(platform, "2026-11-27T10:00:30.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      `${NOW} charge 100 success`,
      "2026-11-27T10:00:00.000Z refund 100 success",
    ]);
    expect((await undo(platform, secret)).status).toBe(400);
    expect((await confirm(platform, secret)).body.payload).toEqual({ status: "confirmed" });
    await passDays(platform, 3);
    expect((await ledgerOf(platform, person.email)).length).toBe(2);
  });

  it("without sign-in is shown until it is settled", async () => {
    const answerTo = async (platform: TestPlatform, { token }: { token: string }) =>
      (await platform.call("GET /subscriptions", { token })).body.payload;
    for (const settle of [undo, confirm]) {
      const { platform, person, secret } = await notified();
      await passDays(platform, 2);
      expect((await answerTo(platform, person)).withdrawal).toEqual({
        receivedDateTime: NOW,
        refundDateTime: "2026-11-27T10:00:00.000Z",
      });
      await settle(platform, secret);
      expect(await answerTo(platform, person)).not.toHaveProperty("withdrawal");
    }
  });

  it("is undone by its link, and the contract goes on", async () => {
    const { platform, person, secret } = await notified();
    expect((await platform.call(`GET /withdrawals/undo?token=${secret}`)).status).toBe(404);
    for (let time = 0; time < 2; time++) {
      expect((await undo(platform, secret)).body.payload).toEqual({ status: "undone" });
    }
    expect((await confirm(platform, secret)).status).toBe(400);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    await passDays(platform, 10);
    expect((await mailsTo(platform, person.email)).join()).toMatch(/ undone/);
    expect(await ledgerOf(platform, person.email)).toEqual([
      `${NOW} charge 100 success`,
      "2026-11-27T10:00:00.000Z charge 990 success",
    ]);
  });

  it("that is undone leaves the stop of its owner alone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    platform.clock.advance(60_000);
    await notify(platform, person);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    for (let time = 0; time < 2; time++) {
      expect((await undo(platform, secret)).body.payload).toEqual({ status: "stopped" });
    }
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: NOW });
    expect((await newestMail(platform, person.email)).text).toMatch(/reste toutefois arrêté/);
    await passDays(platform, 9);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("and a cancellation are undone one without the other", async () => {
    for (const first of ["cancellations", "withdrawals"]) {
      const platform = await open();
      const person = await subscriber(platform);
      const second = first === "withdrawals" ? "cancellations" : "withdrawals";
      const secrets: Record<string, string> = {};
      for (const kind of [first, second]) {
        await platform.call(`POST /${kind}`, { body: { name: "Ada", email: person.email } });
        await platform.runDueJobs();
        const { text } = await newestMail(platform, person.email);
        secrets[kind] = /token=(\S+)/.exec(text)?.[1] ?? "";
        platform.clock.advance(60_000);
      }
      const undoOf = (kind: string) =>
        platform.call(`POST /${kind}/undo`, { body: { token: secrets[kind] } });
      expect((await undoOf(first)).body.payload).toEqual({ status: "stopped" });
      expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
      expect((await undoOf(second)).body.payload).toEqual({ status: "undone" });
      expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    }
  });

  it("repeated has one mail and one link", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const answers = await Promise.all([1, 2, 3, 4].map(() => notify(platform, person)));
    expect(new Set(answers.map(({ body }) => body.payload.uid)).size).toBe(1);
    await Promise.all([1, 2, 3].map(() => platform.runDueJobs()));
    expect((await mailsTo(platform, person.email)).slice(2)).toEqual([`${NOW} notice`]);
    const secret = await secretMailedTo(platform, person);
    expect((await confirm(platform, secret)).status).toBe(200);
  });

  it("by its owner settles a stranger's open one", async () => {
    const { platform, person, secret } = await notified();
    await notify(platform, person, person.token);
    expect(await rolesOf(platform, person)).toEqual({});
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "ended" });
    await passDays(platform, 8);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it("is a right that outlives the profile", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 10);
    expect(await notify(platform, person)).toMatchObject({ status: 202 });
    await notify(platform, { email: "autre@exemple.fr" });
    await platform.runDueJobs();
    expect((await newestMail(platform, "autre@exemple.fr")).text).toMatch(/aucun abonnement/);
    expect((await confirm(platform, await secretMailedTo(platform, person))).status).toBe(200);
    await passDays(platform, 1);
    expect(await refundsOf(platform)).toEqual(["success"]);
    expect((await newestMail(platform, person.email)).text).toMatch(/1,00\s€/);
  });

  it("keeps its link when its sender deletes their account", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const stranger = await newPerson(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const body = { name: "x", email: stranger.email, reference };
    const linkIn = async () => /token=(\S+)/.exec((await newestMail(platform, person.email)).text);
    const secrets: string[] = [];
    for (const kind of ["cancellations", "withdrawals"]) {
      await platform.call(`POST /${kind}`, { body });
      await platform.runDueJobs();
      secrets.push((await linkIn())?.[1] ?? "");
      platform.clock.advance(60_000);
    }
    await platform.call(`DELETE /users/${stranger.uid}`, { token: stranger.token });
    expect(await placesOf(platform, stranger.email)).not.toContain("contract_notice.email");
    const [cancellation = "", withdrawal = ""] = secrets;
    const other = await platform.call("POST /cancellations/undo", {
      body: { token: cancellation },
    });
    expect(other.body.payload).toEqual({ status: "stopped" });
    expect((await undo(platform, withdrawal)).body.payload).toEqual({ status: "undone" });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("is mailed anew where an earlier link is lost", async () => {
    const { platform, person, secret } = await notified();
    await platform.database.updateTable("contract_notice").set({ undo_hash: null }).execute();
    platform.clock.advance(60_000);
    await notify(platform, person);
    await platform.runDueJobs();
    const again = await secretMailedTo(platform, person);
    expect(again).not.toBe(secret);
    // What the lost link stopped nobody can undo any more.
    expect((await undo(platform, again)).body.payload).toEqual({ status: "stopped" });
  });

  it("of a former contract outlives the e-mail's next owner", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 9);
    const stranger = await newPerson(platform, person.email);
    await notify(platform, person);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    await platform.call(`DELETE /users/${stranger.uid}`, { token: stranger.token });
    expect(await placesOf(platform, person.email)).toContain("contract_notice.email");
    expect((await confirm(platform, secret)).body.payload).toEqual({ status: "confirmed" });
    await passDays(platform, 0.5);
    expect(await refundsOf(platform)).toEqual(["success"]);
  });

  it("after erasure ends with the fourteen days", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passTo(platform, "2026-12-04T23:00:00.000Z");
    await platform.runDueJobs();
    await notify(platform, person);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toMatch(/aucun abonnement/);
    expect(await refundsOf(platform)).toEqual([]);
    const { former_key } = await platform.database
      .selectFrom("subscription")
      .select("former_key")
      .executeTakeFirstOrThrow();
    expect(former_key).toBeNull();
  });

  const refundsOf = async ({ database }: TestPlatform) =>
    (await database.selectFrom("refund").select("status").execute()).map(({ status }) => status);

  it("takes the profile with it once the money is back", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person, person.token);
    await passDays(platform, 2);
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
  });

  it("has its refund asked for until it succeeds", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { payment_uid } = await subscriptionOf(platform, person);
    const bank = (status: "paid" | "declined") =>
      platform.database
        .updateTable("bank_page")
        .set({ status })
        .where("payment_uid", "=", payment_uid)
        .execute();
    await bank("declined");
    await notify(platform, person, person.token);
    await passDays(platform, 2);
    const refund = () =>
      platform.database.selectFrom("refund").select("status").executeTakeFirstOrThrow();
    expect(await refund()).toEqual({ status: "pending" });
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(200);
    await bank("paid");
    await passDays(platform, 3);
    expect(await refund()).toEqual({ status: "success" });
    const moved = await platform.database.selectFrom("bank_movement").selectAll().execute();
    expect(moved.filter(({ kind }) => kind === "refund")).toHaveLength(1);
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
  });

  it("refuses an unknown link", async () => {
    const platform = await open();
    expect((await confirm(platform, "unknown")).status).toBe(400);
  });
});
