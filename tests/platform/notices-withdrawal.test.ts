import fc from "fast-check";
import { expect, it } from "vitest";
import { startOfDay } from "~/contract/calendar";
import { LONGEST_WITHDRAWAL_DAYS, waitsForWithdrawal } from "~/contract/subscriptions";
import { readArchive } from "../../server/platform/subscriptions/proof";
import { withdrawalDeadline } from "../../server/platform/subscriptions/withdrawal-deadline";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, CASHBACK, newPage, newPerson, post, rolesOf } from "./funnel";
import {
  back,
  ledgerOf,
  mailsSentTo,
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

  it.each(["link", "owner", "time"])("is proved as confirmed only by somebody: %s", async (by) => {
    const { platform, person, secret } = await notified();
    if (by === "link") await confirm(platform, secret);
    if (by === "owner") await notify(platform, person, person.token);
    await passDays(platform, 9);
    const { notices } = await readArchive(platform.database, person.email);
    expect(notices.every(({ settledDateTime }) => settledDateTime)).toBe(true);
    const confirmed = notices.map(({ confirmedDateTime }) => confirmedDateTime !== null);
    expect(confirmed).toEqual({ link: [true], owner: [false, true], time: [false] }[by]);
  });

  it("is answered with the lost cashback however often confirmed", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    await notify(platform, person);
    await platform.runDueJobs();
    const secret = await secretMailedTo(platform, person);
    const { receipt } = (await confirm(platform, secret)).body.payload;
    expect(receipt.lostCredit).toBe(2000);
    expect((await confirm(platform, secret)).body.payload.receipt).toEqual(receipt);
  });

  it("by the signed-in owner with a mistyped reference can be undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { token, email } = person;
    const body = { name: "Ada Byron", email, reference: "contrat-42" };
    const answer = await platform.call("POST /withdrawals", { token, body });
    expect(answer.body.payload).toMatchObject({ receivedAt: NOW, awaitsConfirmation: true });
    await platform.runDueJobs();
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
    const secret = await secretMailedTo(platform, person);
    expect((await undo(platform, secret)).body.payload).toMatchObject({ status: "undone" });
    await passDays(platform, 10);
    expect(await subscriptionOf(platform, person)).toMatchObject({ withdrawn_at: null });
  });

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
    expect((await confirm(platform, secret)).body.payload).toEqual({
      status: "confirmed",
      receipt: {
        receivedAt: NOW,
        contract: (await subscriptionOf(platform, person)).uid,
        seller: expect.any(String),
        name: "Ada Byron",
        email: person.email,
      },
    });
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

  it("of another's contract waits whatever e-mail is typed", async () => {
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
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "stopped" });
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

  it("finds a former contract by its reference", async () => {
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
  });

  it("finds a former contract by its reference beside another e-mail", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 9);
    const named = { name: "Ada Byron", email: "autre@exemple.fr", reference: ` ${reference} ` };
    await platform.call("POST /withdrawals", { body: named });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, named.email);
    expect(text).not.toMatch(/aucun abonnement/);
    expect(text).not.toContain(person.email);
    expect(text).not.toMatch(/9,90|\/notices\//);
    expect(await refundsOf(platform)).toEqual([]);
    expect((await confirm(platform, await secretMailedTo(platform, person))).status).toBe(200);
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
    expect(await refundsOf(platform)).toHaveLength(1);
  });

  it("finds no former contract by its reference after the right has ended", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passDays(platform, 40);
    const named = { name: "Ada Byron", email: "autre@exemple.fr", reference };
    await platform.call("POST /withdrawals", { body: named });
    await platform.runDueJobs();
    expect((await newestMail(platform, named.email)).text).toMatch(/aucun abonnement/);
  });

  it("refunds all payments, however often it is sent", async () => {
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

  it("counts from its receipt, not its confirmation", async () => {
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

  it("after the fourteenth day is told what goes on", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await passDays(platform, 15);
    expect((await notify(platform, person)).status).toBe(202);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain(reference);
    expect(text).toMatch(/Le délai de rétractation de ce contrat s’est terminé le 4\sdéc\.\s2026/);
    expect(text).toMatch(/Le contrat se poursuit\s: 9,90\s€ sont débités le 27\sdéc\.\s2026/);
    expect(text).toContain("https://cap.example/cancel-contract");
    expect(text).not.toContain("aucun abonnement");
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
    const stopped = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token: stopped.token, body: {} });
    platform.clock.advance(60_000);
    await notify(platform, person, stopped.token);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toContain("est déjà arrêté");
  });

  it("repeated after the fourteenth day is told the refund of the open one", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 13);
    await notify(platform, person);
    await passDays(platform, 3);
    const body = { name: "Augusta Ada King", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Augusta Ada King");
    expect(text).toMatch(/déclarée dans le délai le 3\sdéc\.\s2026.+reste valable/s);
    expect(text).toMatch(/remboursée au plus tard le 10\sdéc\.\s2026/);
    expect(text).not.toMatch(/arrivée après le délai|rien n’est remboursé|résiliez/);
    await passDays(platform, 5);
    expect(await refundsOf(platform)).toEqual(["success", "success"]);
  });

  it("that comes too late tells another address nothing", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await passDays(platform, 15);
    const body = { name: "Ada Byron", email: "autre@exemple.fr", reference };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    expect((await newestMail(platform, "autre@exemple.fr")).text).not.toMatch(/délai|débité/);
    expect((await newestMail(platform, person.email)).text).toContain("s’est terminé");
  });

  it("that comes too late announces no debit that a planned end prevents", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const body = { name: "Ada Byron", email: person.email, date: "2027-01-10" };
    await platform.call("POST /cancellations", { body });
    // Renewed since, the paid period is the last one.
    await passDays(platform, 40);
    await notify(platform, person);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Fin de l’accès\s: 27\sjanv\.\s2027/);
    expect(text).not.toMatch(/9,90\s€ sont débités/);
  });

  it("that comes too late is kept as one about its contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await passDays(platform, 15);
    await notify(platform, person);
    await notify(platform, { email: "a@exemple.fr" });
    await platform.runDueJobs();
    const notices = platform.database
      .selectFrom("contract_notice")
      .select(["email", "subscription_uid"])
      .orderBy("email");
    const ofThem = { email: person.email, subscription_uid: reference };
    expect(await notices.execute()).toEqual(
      expect.arrayContaining([{ email: "a@exemple.fr", subscription_uid: null }, ofThem]),
    );
    platform.clock.advance(500 * 24 * 3_600_000);
    await platform.runDueJobs();
    expect(await notices.execute()).toEqual([ofThem]);
  });

  it("by its owner confirms a stranger's after the fourteenth day", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 14);
    await notify(platform, person);
    await passDays(platform, 3);
    await notify(platform, person, (await back(platform, person)).token);
    await platform.runDueJobs();
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
    expect(await refundsOf(platform)).toHaveLength(2);
  });

  it("from a free trial promises no money and moves none", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    const person = await subscriber(platform);
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await passDays(platform, 9);
    const texts = mailsSentTo(platform, person).map(({ text }) => text);
    const about = texts.filter((text) => /rétractation|renoncé/.test(text)).slice(1);
    expect(about.length).toBeGreaterThan(1);
    expect(about.join()).not.toMatch(/vous êtes remboursé|le remboursement arrive|Remboursement :/);
    // The seller's capital stands below each mail.
    expect(about.join().replaceAll(/capital de \d/g, "")).not.toMatch(/\d\s€|prix payé/);
    expect(about.join()).toContain("toute somme payée vous est remboursée");
    expect(await platform.database.selectFrom("refund").selectAll().execute()).toEqual([]);
  });

  it("from a free trial by its owner tells that nothing was debited", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    const person = await subscriber(platform);
    await notify(platform, person, person.token);
    await platform.runDueJobs();
    const texts = mailsSentTo(platform, person).map(({ text }) => text);
    const receipt = texts.find((text) => text.includes("Ada Byron"));
    const words = receipt?.replace(/\s+/g, " ");
    expect(words).toContain("Rien n’a été débité, il n’y a donc rien à rembourser.");
    expect(words).not.toContain("ou votre banque en décide");
  });

  it("left open by a deletion in a free trial promises no money", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    const texts = mailsSentTo(platform, person).map(({ text }) => text.replace(/\s+/g, " "));
    const deleted = texts.find((text) => text.includes("nous avons supprimé votre profil"));
    expect(deleted).toContain(
      "Vous pouvez encore renoncer au contrat, jusqu’au 4 déc. 2026 inclus",
    );
    expect(deleted).toContain("Toute somme payée vous est alors remboursée.");
    expect(deleted).not.toContain("être remboursé");
  });

  it("by its owner leaves nothing of strangers' to undo", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    await platform.call("POST /withdrawals", { body, token: person.token });
    const path = "POST /subscriptions/unsigned-notices/undo";
    for (const line of [path, `${path}/preview`]) {
      const { token } = await back(platform, person);
      expect((await platform.call(line, { token, body: {} })).status).toBe(404);
    }
  });

  it("gets the same answer without a contract", async () => {
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

  it("without sign-in is refunded after seven days", async () => {
    const { platform, person, secret } = await notified();
    await passTo(platform, "2026-11-27T09:59:59.999Z");
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
    await passTo(platform, "2026-11-27T10:00:30.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      `${NOW} charge 100 success`,
      "2026-11-27T10:00:00.000Z refund 100 success",
    ]);
    expect((await undo(platform, secret)).status).toBe(400);
    expect((await confirm(platform, secret)).body.payload).toMatchObject({ status: "confirmed" });
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

  it("is undone by its link, and the contract continues", async () => {
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

  it("that is undone keeps its owner's stop", async () => {
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

  it("and a cancellation are undone independently", async () => {
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

  it("sent twice has one mail and one link", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const answers = await Promise.all([1, 2, 3, 4].map(() => notify(platform, person)));
    expect(new Set(answers.map(({ body }) => body.payload.uid)).size).toBe(1);
    await Promise.all([1, 2, 3].map(() => platform.runDueJobs()));
    expect((await mailsTo(platform, person.email)).slice(2)).toEqual([`${NOW} notice`]);
    const secret = await secretMailedTo(platform, person);
    expect((await confirm(platform, secret)).status).toBe(200);
  });

  it("by its owner completes a stranger's open one", async () => {
    const { platform, person, secret } = await notified();
    await notify(platform, person, person.token);
    expect(await rolesOf(platform, person)).toEqual({});
    expect((await undo(platform, secret)).body.payload).toEqual({ status: "ended" });
    await passDays(platform, 8);
    expect(await ledgerOf(platform, person.email)).toHaveLength(2);
  });

  it.each(["link", "owner"])("settled by its %s changes nothing when its week ends", async (by) => {
    const { platform, person, secret } = await notified();
    await passDays(platform, 1);
    if (by === "link") await confirm(platform, secret);
    if (by === "owner") await notify(platform, person, person.token);
    const state = async () => ({
      ledger: await ledgerOf(platform, person.email),
      mails: mailsSentTo(platform, person).map(({ text }) => text),
      notices: (await readArchive(platform.database, person.email)).notices,
    });
    await passDays(platform, 1);
    const settled = await state();
    expect(settled.ledger).toHaveLength(2);
    expect(settled.mails.length).toBeGreaterThan(3);
    await passDays(platform, 14);
    expect(await state()).toEqual(settled);
  });

  it("is possible after the profile is deleted", async () => {
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

  it("is mailed again when an earlier link is lost", async () => {
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

  it("of a former contract is possible despite a new account", async () => {
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
    expect((await confirm(platform, secret)).body.payload).toMatchObject({ status: "confirmed" });
    await passDays(platform, 0.5);
    expect(await refundsOf(platform)).toEqual(["success"]);
  });

  it("after deletion is possible for fourteen days only", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await passTo(platform, "2026-12-04T23:01:00.000Z");
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

  it("open after the fourteenth day is known once the profile is gone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 13);
    await notify(platform, person);
    await passDays(platform, 3);
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await passDays(platform, 1.5);
    await platform.call("POST /withdrawals", { body: { name: "Ada King", email: person.email } });
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toContain("reste valable");
    await passDays(platform, 8);
    const { former_key, withdrawn_at } = await subscriptionOf(platform, person);
    expect([former_key, withdrawn_at !== null]).toEqual([null, true]);
  });

  it("open at the end of the period keeps the hash of a deleted profile's e-mail", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 13);
    await notify(platform, person);
    await platform.runDueJobs();
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await passDays(platform, 3);
    expect((await subscriptionOf(platform, person)).former_key).not.toBeNull();
    await passDays(platform, 8);
    expect((await subscriptionOf(platform, person)).former_key).toBeNull();
  });

  const refundsOf = async ({ database }: TestPlatform) =>
    (await database.selectFrom("refund").select("status").execute()).map(({ status }) => status);

  it("deletes the profile once the money is refunded", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await notify(platform, person, person.token);
    await passDays(platform, 2);
    expect((await platform.call("GET /subscriptions", { token: person.token })).status).toBe(401);
  });

  it("has its refund retried until it succeeds", async () => {
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

/** Easter Sundays as published, not computed. */
const EASTER: Record<number, string> = {
  2025: "04-20",
  2026: "04-05",
  2027: "03-28",
  2028: "04-16",
  2029: "04-01",
  2030: "04-21",
  2038: "04-25",
};

/** The eleven holidays of a year (article L3133-1 of the labour code). */
function holidaysOf(year: number): [string, string][] {
  const onDay = (day: string) => `${year}-${day}`;
  const afterEaster = (days: number) => nextDay(onDay(EASTER[year] ?? ""), days);
  return [
    ["New Year’s Day", onDay("01-01")],
    ["Easter Monday", afterEaster(1)],
    ["Labour Day", onDay("05-01")],
    ["8 May", onDay("05-08")],
    ["Ascension", afterEaster(39)],
    ["Whit Monday", afterEaster(50)],
    ["14 July", onDay("07-14")],
    ["Assumption", onDay("08-15")],
    ["All Saints’ Day", onDay("11-01")],
    ["11 November", onDay("11-11")],
    ["Christmas", onDay("12-25")],
  ];
}

function nextDay(day: string, days = 1) {
  const moment = new Date(`${day}T12:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}

/** The last day of the delay of a contract concluded at noon, two weeks before this day. */
function lastDayFrom(fourteenth: string) {
  const deadline = withdrawalDeadline(new Date(`${nextDay(fourteenth, -14)}T12:00:00Z`));
  const inParis = new Intl.DateTimeFormat("sv-SE", { timeZone: "Europe/Paris" });
  return inParis.format(new Date(deadline.getTime() - 1));
}

const WORKING_DAYS = [1, 2, 3, 4, 5];
const YEARS = Object.keys(EASTER).map(Number);

it.each(holidaysOf(2026).map(([name], index) => [name, index] as const))(
  "the right to withdraw does not end on a holiday: %s",
  (_, index) => {
    const days = YEARS.map((year) => holidaysOf(year)[index]?.[1] ?? "");
    expect(days.filter((day) => lastDayFrom(day) === day)).toEqual([]);
    // On one of these years at least, it is the holiday alone that prolongs the delay.
    const onWorkingDay = days.filter((day) => WORKING_DAYS.includes(new Date(day).getUTCDay()));
    expect(onWorkingDay.length).toBeGreaterThan(0);
  },
);

it("the right to withdraw ends on the next working day", () => {
  for (const year of YEARS) {
    const holidays = holidaysOf(year).map(([, day]) => day);
    const isRest = (day: string) =>
      holidays.includes(day) || !WORKING_DAYS.includes(new Date(day).getUTCDay());
    // The last week of the year may end in the next one, whose Easter is not in the table.
    for (let day = `${year}-01-01`; day < `${year}-12-25`; day = nextDay(day)) {
      let expected = day;
      while (isRest(expected)) expected = nextDay(expected);
      expect([day, lastDayFrom(day)]).toEqual([day, expected]);
    }
  }
});

/** Whole days from the start of the day of the contract to the deadline, both in Paris. */
function daysToWithdraw(contractAt: Date) {
  const deadline = withdrawalDeadline(contractAt).getTime();
  let days = 0;
  while (startOfDay(contractAt, days).getTime() < deadline) days++;
  return days;
}

it("the right to withdraw is never longer than the longest stated", () => {
  const moment = fc.date({
    min: new Date("2025-01-01T00:00:00Z"),
    max: new Date("2425-01-01T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moment, (contractAt) => daysToWithdraw(contractAt) <= LONGEST_WITHDRAWAL_DAYS),
    { numRuns: 2_000 },
  );
  for (const year of [2026, 2043, 2054]) {
    const days = Array.from({ length: 366 }, (_, day) => new Date(Date.UTC(year, 0, 1 + day, 12)));
    const longest = Math.max(...days.map(daysToWithdraw));
    expect([year, longest]).toEqual([year, year === 2026 ? 18 : LONGEST_WITHDRAWAL_DAYS]);
  }
});

it("only a credit due after the withdrawal period does not wait", () => {
  // From midnight on, a day less would be within the right of this contract.
  const contractAt = startOfDay(new Date("2043-04-23T12:00:00Z"));
  for (let delayDays = 1; delayDays <= 30; delayDays++) {
    const isWithin = startOfDay(contractAt, delayDays) < withdrawalDeadline(contractAt);
    expect([delayDays, waitsForWithdrawal({ delayDays })]).toEqual([delayDays, isWithin]);
  }
});
