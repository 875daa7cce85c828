import { expect, it, onTestFinished } from "vitest";
import type { PlatformOptions } from "../../server/platform";
import { moveMail } from "../../server/platform/mail/outbox";
import { linkMailKey } from "../../server/platform/subscriptions/pending-notices";
import { startMailServer } from "../support/mail-server";
import { freePort } from "../support/port";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newAddress, newPage, newPerson, post, type Person } from "./funnel";
import {
  DAY_MS,
  ledgerOf,
  newestMail,
  passDays,
  subscriber,
  subscriptionOf,
  undoAsShown,
  mailsSentTo,
} from "./life";
import { dueJobs, runOnly } from "./standstill";

const MINUTE_MS = 60_000;

onEachDatabase("each declaration", (open) => {
  type Kind = "cancellations" | "withdrawals";
  const KINDS: Kind[] = ["cancellations", "withdrawals"];

  async function declare(
    platform: TestPlatform,
    kind: Kind,
    body: { name: string; email: string; reference?: string },
    token?: string,
  ) {
    platform.clock.advance(MINUTE_MS);
    const answer = await platform.call(`POST /${kind}`, { body, ...(token && { token }) });
    await platform.runDueJobs();
    return answer;
  }

  const undo = (platform: TestPlatform, kind: Kind, token: string) =>
    platform.call(`POST /${kind}/undo`, { body: { token } });

  const confirm = (platform: TestPlatform, token: string) =>
    platform.call("POST /withdrawals/confirm", { body: { token } });

  const textTo = async (platform: TestPlatform, email: string) =>
    (await newestMail(platform, email)).text;

  const secretIn = (text: string) => /\?token=(\S+)/.exec(text)?.[1] ?? "";

  const noticesOf = ({ database }: TestPlatform) =>
    database.selectFrom("contract_notice").selectAll().orderBy("received_at").execute();

  /** Deletes the account and orders anew with its e-mail; the references of both contracts. */
  async function orderedTwice(platform: TestPlatform) {
    const first = await subscriber(platform);
    const { uid: former } = await subscriptionOf(platform, first);
    await platform.call(`DELETE /users/${first.uid}`, { token: first.token });
    await passDays(platform, 1);
    const second = await newPerson(platform, first.email);
    await post(platform, await newPage(platform, second), { cardNumber: CARDS.success });
    const { uid: newer } = await subscriptionOf(platform, second);
    return { email: first.email, former, newer, second };
  }

  const withdrawnOf = async ({ database }: TestPlatform) =>
    (await database.selectFrom("subscription").select(["uid", "withdrawn_at"]).execute())
      .filter(({ withdrawn_at }) => withdrawn_at !== null)
      .map(({ uid }) => uid);

  it.each(KINDS)("of %s has its own receipt, contract and link", async (kind) => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await subscriptionOf(platform, person);
    await declare(platform, kind, { name: "Une Inconnue", email: person.email });
    const strangers = secretIn(await textTo(platform, person.email));
    await declare(platform, kind, { name: "Ada Byron", email: person.email });
    const text = await textTo(platform, person.email);
    expect(text).toContain("Ada Byron");
    expect(text).toMatch(/20\snov\.\s2026\sà\s11:02/);
    expect((await noticesOf(platform)).map((notice) => notice.subscription_uid)).toEqual([
      uid,
      uid,
    ]);
    expect((await undo(platform, kind, strangers)).body.payload).toEqual({ status: "stopped" });
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
    expect((await undo(platform, kind, secretIn(text))).body.payload).toEqual({ status: "undone" });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("of a withdrawal is refunded though another one was undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await declare(platform, "withdrawals", { name: "Une Inconnue", email: person.email });
    await undo(platform, "withdrawals", secretIn(await textTo(platform, person.email)));
    await declare(platform, "withdrawals", { name: "Ada Byron", email: person.email });
    await passDays(platform, 8);
    expect((await ledgerOf(platform, person.email)).join()).toContain("refund 100 success");
  });

  it("of the signed-in owner is undone by no other link", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await declare(platform, "cancellations", { name: "Une Inconnue", email: person.email });
    const strangers = secretIn(await textTo(platform, person.email));
    const own = { name: "Ada Byron", email: person.email };
    await declare(platform, "cancellations", own, person.token);
    expect(await textTo(platform, person.email)).toContain("Ada Byron");
    await passDays(platform, 6.9);
    expect((await undo(platform, "cancellations", strangers)).body.payload.status).not.toBe(
      "undone",
    );
    await passDays(platform, 3);
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it.each(KINDS)("of %s without contract has its own receipt", async (kind) => {
    const platform = await open();
    for (const name of ["Une Inconnue", "Ada Byron"]) {
      await declare(platform, kind, { name, email: "personne@exemple.fr" });
      expect(await textTo(platform, "personne@exemple.fr")).toContain(name);
    }
  });

  it("without reference takes the newest contract, then the next", async () => {
    const platform = await open();
    const { email, former, newer } = await orderedTwice(platform);
    await declare(platform, "withdrawals", { name: "Ada Byron", email });
    const first = await textTo(platform, email);
    expect(first).toContain(newer);
    expect(first).toContain("a un autre contrat");
    await declare(platform, "withdrawals", { name: "A. Byron", email });
    const second = await textTo(platform, email);
    expect(second).toContain(former);
    expect(second).toMatch(/commandé le 20\snov\.\s2026/);
    expect(second).not.toContain("a un autre contrat");
    await confirm(platform, secretIn(first));
    await confirm(platform, secretIn(second));
    expect((await withdrawnOf(platform)).sort()).toEqual([former, newer].sort());
  });

  it("repeated after its refund takes the next contract", async () => {
    const platform = await open();
    const { email, former, newer } = await orderedTwice(platform);
    const words = { name: "Ada Byron", email };
    for (const contract of [newer, former]) {
      await declare(platform, "withdrawals", words);
      const text = await textTo(platform, email);
      expect(text).toContain(contract);
      await confirm(platform, secretIn(text));
    }
    expect(await withdrawnOf(platform)).toHaveLength(2);
  });

  it("of a withdrawal from one of two says nothing of the other", async () => {
    const platform = await open();
    const { email, former, second } = await orderedTwice(platform);
    const words = { name: "Ada Byron", email, reference: former };
    await declare(platform, "withdrawals", words);
    await confirm(platform, secretIn(await textTo(platform, email)));
    await passDays(platform, 0.01);
    const texts = mailsSentTo(platform, { email }).map(({ text }) => text);
    expect(texts).toContainEqual(
      expect.stringMatching(/Ce contrat a pris fin.* sauf si vous avez un autre abonnement/),
    );
    await passDays(platform, 3);
    expect(await subscriptionOf(platform, second)).toMatchObject({ cancelled_at: null });
    expect((await platform.call("GET /subscriptions", { token: second.token })).status).toBe(200);
  });

  it("sent twice by accident takes no second contract", async () => {
    const platform = await open();
    const { email } = await orderedTwice(platform);
    const body = { name: "Ada Byron", email };
    await Promise.all([1, 2, 3].map(() => platform.call("POST /withdrawals", { body })));
    await Promise.all([1, 2].map(() => platform.runDueJobs()));
    platform.clock.advance(2_000);
    await platform.runDueJobs();
    const changing = (await noticesOf(platform)).filter(({ subscription_uid: uid }) => uid);
    expect(changing).toHaveLength(1);
  });

  it.each(KINDS)("of %s with another e-mail is noted there without the contract", async (kind) => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await declare(platform, kind, { name: "Ada Byron", email: "autre@exemple.fr", reference });
    const typed = await textTo(platform, "autre@exemple.fr");
    expect(typed).toContain("Ada Byron");
    expect(typed).toContain("Je vous notifie");
    for (const fact of ["token=", person.email, "commandé le"]) expect(typed).not.toContain(fact);
    expect(secretIn(await textTo(platform, person.email))).not.toBe("");
  });

  it("of the signed-in owner may name another e-mail", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const body = { name: "Ada Byron", email: "autre@exemple.fr", reference };
    const { body: answer } = await declare(platform, "withdrawals", body, person.token);
    expect(answer.payload).toMatchObject({ awaitsConfirmation: false });
    expect(await withdrawnOf(platform)).toEqual([reference]);
    expect(await textTo(platform, "autre@exemple.fr")).toContain("Ada Byron");
  });

  it.each(KINDS)("of %s without sign-in is undone by the owner who is", async (kind) => {
    const platform = await open();
    const person = await subscriber(platform);
    const undoUnsigned = () =>
      platform.call("POST /subscriptions/unsigned-notices/undo", { token: person.token, body: {} });
    const read = async () =>
      (await platform.call("GET /subscriptions", { token: person.token })).body.payload;
    expect((await undoUnsigned()).status).toBe(404);
    expect(await read()).not.toHaveProperty("hasUnsignedNotice");
    for (const name of ["Une Inconnue", "Un Inconnu"]) {
      await declare(platform, kind, { name, email: person.email });
    }
    expect(await read()).toMatchObject({ hasUnsignedNotice: true });
    expect((await undoUnsigned()).body.payload).toEqual({ status: "undone" });
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    expect(await read()).not.toHaveProperty("hasUnsignedNotice");
    const own = { name: "Ada Byron", email: person.email };
    await declare(platform, "cancellations", own, person.token);
    expect((await undoUnsigned()).status).toBe(404);
  });

  it.each(KINDS)("of %s shows its owner alone what undoing it would do", async (kind) => {
    const platform = await open();
    const [person, other] = [await subscriber(platform), await subscriber(platform)];
    const preview = ({ token }: { token?: string }) =>
      platform.call("POST /subscriptions/unsigned-notices/undo/preview", {
        body: {},
        ...(token && { token }),
      });
    const undo = (body: object) =>
      platform.call("POST /subscriptions/unsigned-notices/undo", { body, token: person.token });
    await passDays(platform, 6);
    await declare(platform, kind, { name: "Une Inconnue", email: person.email });
    expect((await preview(other)).status).toBe(404);
    expect((await preview({})).status).toBe(401);
    const { expires_at } = await subscriptionOf(platform, person);
    const { payload } = (await preview(person)).body;
    expect(payload).toEqual({ status: "undone", nextDebit: { date: expires_at, amount: 990 } });
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
    await passDays(platform, 2);
    const { offer } = (await preview(person)).body.payload;
    expect(offer).toMatchObject({ amountNow: 990 });
    expect((await undo({})).status).toBe(400);
    const undone = await undo({ offer: offer.statement });
    expect(undone.body.payload).toEqual({ status: "undone", isCharged: true });
    expect((await preview(person)).status).toBe(404);
    // Sixty an hour: each carries it out and takes it back.
    for (let time = 2; time < 60; time++) expect((await preview(person)).status).toBe(404);
    expect((await preview(person)).status).toBe(429);
  });

  it("leaves a stranger's name out of the export's mails", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await declare(platform, "cancellations", { name: "Une Inconnue", email: person.email });
    expect(await textTo(platform, person.email)).toContain("Une Inconnue");
    const own = { name: "Ada Byron", email: person.email };
    await declare(platform, "cancellations", own, person.token);
    const { body } = await platform.call(`GET /users/${person.uid}/export`, {
      token: person.token,
    });
    const exported = JSON.stringify(body.payload.contractMails);
    expect(exported).toContain("Je vous notifie");
    expect(exported).toContain("Ada Byron");
    expect(exported).not.toContain("Une Inconnue");
  });

  /** A stranger's cancellations of days that each come before the last. */
  async function planned(days: number) {
    const platform = await open();
    const person = await subscriber(platform);
    for (let day = 0; day < days; day++) {
      const date = `2027-03-${28 - day}`;
      const body = { name: "Une Inconnue", email: person.email, date };
      const headers = { "x-client-address": newAddress() };
      await platform.call("POST /cancellations", { body, headers });
      await platform.runDueJobs();
    }
    return { platform, person };
  }

  it("that acts at once is mailed before those that are planned", async () => {
    const { platform, person } = await planned(23);
    await declare(platform, "cancellations", { name: "Ada Byron", email: person.email });
    expect(await textTo(platform, person.email)).toContain("Ada Byron");
  });

  it("that is planned is mailed in the order of the days", async () => {
    const { platform } = await planned(14);
    const waiting = await platform.database
      .selectFrom("contract_notice")
      .innerJoin("limited_event", "limited_event.uid", "contract_notice.mail_slot")
      .select(["contract_notice.wished_date", "limited_event.at"])
      .where("mailed_at", "is", null)
      .orderBy("limited_event.at")
      .orderBy("contract_notice.wished_date")
      .execute();
    expect(waiting.map(({ wished_date: date }) => date)).toEqual([
      "2027-03-15",
      "2027-03-16",
      "2027-03-17",
      "2027-03-18",
    ]);
  });

  it("that is undone gives its place in the mailbox back", async () => {
    const { platform, person } = await planned(10);
    const secret = secretIn(await textTo(platform, person.email));
    await undo(platform, "cancellations", secret);
    const body = { name: "Ada Byron", email: person.email, date: "2027-05-05" };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    expect(await textTo(platform, person.email)).toContain("Ada Byron");
  });

  /** A stranger's notice, received while no mail goes out. */
  async function withoutMails(options: Partial<PlatformOptions> = {}, kind: Kind = "withdrawals") {
    const port = await freePort();
    const platform = await open({ mailUrl: `smtp://127.0.0.1:${port}`, ...options });
    const person = await subscriber(platform);
    await platform.call(`POST /${kind}`, { body: { name: "x", email: person.email } });
    const pass = (days: number) => platform.clock.advance(days * DAY_MS);
    /** Starts the mail server, and returns what it gets about the notice. */
    const mailed = async () => {
      const server = await startMailServer({ port });
      onTestFinished(() => server.close());
      await platform.runDueJobs();
      const mail = server.mails.find(({ text }) => text.includes("?token="));
      return mail?.text ?? "";
    };
    return { platform, person, pass, mailed };
  }

  /** The refunds, with the hours that passed between the receipt of the withdrawal and them. */
  async function refundedAfter({ database }: TestPlatform) {
    const movements = database
      .selectFrom("bank_movement")
      .select("at")
      .where("kind", "=", "refund");
    const [notice] = await database.selectFrom("contract_notice").select("received_at").execute();
    const hours = (at: string) =>
      (Date.parse(at) - Date.parse(notice?.received_at ?? "")) / 3_600_000;
    return (await movements.execute()).map(({ at }) => hours(at));
  }

  it.each(["before", "after"])(
    "with a late mail can be undone until refunded: %s",
    async (when) => {
      const { platform, pass, mailed } = await withoutMails();
      await platform.runDueJobs();
      pass(8);
      const text = await mailed();
      expect(text).toMatch(/Annulez-la avant le 29\snov\.\s2026\sà\s11:00/);
      await passDays(platform, when === "before" ? 0.9 : 1);
      const { status } = await undoAsShown(platform, secretIn(text), "withdrawals");
      expect(status).toBe(when === "before" ? 200 : 400);
      await passDays(platform, 3);
      expect(await refundedAfter(platform)).toEqual(when === "before" ? [] : [9 * 24]);
    },
  );

  it.each([0, 1, 2, 2.1, 6, 7, 8.9, 9, 9.1, 13.9, 14])(
    "is refunded within fourteen days, its mail %s days late",
    async (days) => {
      const { platform, pass, mailed } = await withoutMails();
      await platform.runDueJobs();
      for (const part of [0.5, 0.5]) {
        pass(days * part);
        await platform.runDueJobs();
      }
      await mailed();
      await passDays(platform, 20);
      const [hours = 0, ...others] = await refundedAfter(platform);
      expect(others).toEqual([]);
      expect(hours).toBeLessThanOrEqual(14 * 24);
      expect(hours).toBeGreaterThanOrEqual(Math.min(days + 7, 9) * 24);
    },
  );

  it.each([
    ["mail.send", true],
    ["notice.refund", true],
    ["notice.process", false],
  ])("is refunded at once after a standstill, %s first", async (kind, isProcessed) => {
    const { platform, pass, mailed } = await withoutMails();
    if (isProcessed) await platform.runDueJobs();
    pass(17);
    await runOnly(platform, (job) => job.kind === kind);
    const text = await mailed();
    await passDays(platform, 0.01);
    expect(text).toBe("");
    expect(await refundedAfter(platform)).toEqual([17 * 24]);
    const kinds = platform.database.selectFrom("contract_mail").select("kind").orderBy("kind");
    const told = (await kinds.where("sent_at", "is not", null).execute()).map(({ kind }) => kind);
    expect(told).toContain("withdrawal-receipt");
    expect(told).not.toContain("withdrawal-to-confirm");
  });

  it("of two senders has its own receipt after a standstill", async () => {
    const { platform, person, pass, mailed } = await withoutMails();
    const body = { name: "Ada Byron", email: person.email };
    const headers = { "x-client-address": newAddress() };
    pass(1 / 24);
    await platform.call("POST /withdrawals", { body, headers });
    await platform.runDueJobs();
    pass(17);
    await runOnly(platform, ({ kind }) => kind === "notice.refund");
    await mailed();
    await passDays(platform, 1);
    const mails = platform.database.selectFrom("contract_mail").selectAll();
    const told = (await mails.where("sent_at", "is not", null).execute()).map(({ text }) => text);
    expect(told.filter((text) => /Ada Byron/.test(text ?? ""))).not.toEqual([]);
    const waiting = await dueJobs(platform);
    expect(waiting.filter(({ kind }) => kind === "mail.send")).toEqual([]);
  });

  it("that another one settles is told when its mail was due", async () => {
    const { platform, person } = await withoutMails();
    const { database } = platform;
    await platform.runDueJobs();
    const [stranger] = await noticesOf(platform);
    if (!stranger) throw new Error("No notice was received");
    const due = new Date(platform.clock.now().getTime() + DAY_MS);
    await moveMail(database, linkMailKey(stranger), due);
    await declare(platform, "withdrawals", { name: "Léa", email: person.email }, person.token);
    const unsent = database.selectFrom("mail").select("created_at").where("sent_at", "is", null);
    const left = unsent.where("created_at", ">", platform.clock.now().toISOString());
    expect(await left.execute()).toEqual([{ created_at: due.toISOString() }]);
  });

  it("of a withdrawal waits for seven days after its mail", async () => {
    const { platform, pass, mailed } = await withoutMails();
    await platform.runDueJobs();
    pass(1);
    expect(await mailed()).toMatch(/avant le 28\snov\.\s2026/);
    const { text } = await platform.database
      .selectFrom("contract_mail")
      .select("text")
      .where("kind", "=", "withdrawal-to-confirm")
      .executeTakeFirstOrThrow();
    expect(text).toMatch(/avant le 28\snov\.\s2026/);
    await passDays(platform, 6.9);
    expect(await withdrawnOf(platform)).toEqual([]);
    await passDays(platform, 0.2);
    expect(await withdrawnOf(platform)).toHaveLength(1);
  });

  it("whose mail cannot be delivered is refunded after nine days", async () => {
    const errors: [object, string][] = [];
    const error = (facts: object, words: string) => void errors.push([facts, words]);
    const { platform, pass } = await withoutMails({ log: { info() {}, warn() {}, error } });
    await platform.runDueJobs();
    pass(8.9);
    await platform.runDueJobs();
    expect(await withdrawnOf(platform)).toEqual([]);
    pass(0.11);
    await platform.runDueJobs();
    pass(0.05);
    await platform.runDueJobs();
    expect(await withdrawnOf(platform)).toHaveLength(1);
    const [notice] = await noticesOf(platform);
    expect(errors).toContainEqual([
      { notice: notice?.uid },
      expect.stringContaining("could not be delivered"),
    ]);
  });

  /** A stranger's cancellation whose undo time is over on 4 December, before its mail went out. */
  async function unmailedStop(options: Partial<PlatformOptions> = {}) {
    const { platform, person, pass, mailed } = await withoutMails(options, "cancellations");
    for (let day = 0; day < 14; day++) {
      await platform.runDueJobs();
      pass(1);
    }
    await runOnly(platform, ({ kind }) => kind === "account.delete");
    return { platform, pass, mailed, isKept: () => hasAccount(platform, person) };
  }

  async function hasAccount({ database }: TestPlatform, { uid }: Person) {
    const account = database.selectFrom("account").select("status").where("uid", "=", uid);
    return (await account.executeTakeFirst())?.status !== "deleted";
  }

  it("that stopped a contract keeps the profile for its late mail", async () => {
    const { platform, mailed, isKept } = await unmailedStop();
    expect(await isKept()).toBe(true);
    const text = await mailed();
    await passDays(platform, 1);
    expect(await isKept()).toBe(true);
    const { body } = await undoAsShown(platform, secretIn(text), "cancellations");
    expect(body.payload).toEqual({ status: "undone", isCharged: true });
    await passDays(platform, 9);
    expect(await isKept()).toBe(true);
  });

  it("whose mail cannot be delivered keeps the profile an hour longer", async () => {
    const errors: [object, string][] = [];
    const error = (facts: object, words: string) => void errors.push([facts, words]);
    const log = { info() {}, warn() {}, error };
    const { platform, pass, isKept } = await unmailedStop({ log });
    pass(0.99 / 24);
    await platform.runDueJobs();
    expect(await isKept()).toBe(true);
    pass(0.02 / 24);
    await platform.runDueJobs();
    expect(await isKept()).toBe(false);
    const [notice] = await noticesOf(platform);
    expect(errors).toContainEqual([
      { notice: notice?.uid },
      expect.stringContaining("could not be delivered"),
    ]);
  });

  async function pendingAndDeleted() {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await subscriptionOf(platform, person);
    await declare(platform, "withdrawals", { name: "Ada Byron", email: person.email });
    const secret = secretIn(await textTo(platform, person.email));
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await platform.runDueJobs();
    return { platform, person, secret, uid };
  }

  it("pending is told when its account is deleted", async () => {
    const { platform, person } = await pendingAndDeleted();
    const text = await textTo(platform, person.email);
    expect(text).toMatch(/rétractation de ce contrat a été déclarée le 20\snov\.\s2026/);
    expect(text).not.toContain("Vous pouvez encore renoncer");
  });

  it("pending is confirmed after its account is deleted", async () => {
    const { platform, person, secret, uid } = await pendingAndDeleted();
    expect((await confirm(platform, secret)).body.payload).toMatchObject({ status: "confirmed" });
    await platform.runDueJobs();
    expect(await withdrawnOf(platform)).toEqual([uid]);
    expect(await textTo(platform, person.email)).toMatch(/Montant|Remboursement\s: 1,00\s€/);
  });

  it("pending is refunded and mailed after its account is deleted", async () => {
    const { platform, person, uid } = await pendingAndDeleted();
    await passDays(platform, 8);
    expect(await withdrawnOf(platform)).toEqual([uid]);
    expect(await textTo(platform, person.email)).toMatch(/Montant remboursé\s: 1,00\s€/);
  });

  it("of a contract that is over promises no renewal", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    await declare(platform, "withdrawals", { name: "Ada Byron", email: person.email });
    const text = await textTo(platform, person.email);
    expect(text).not.toContain("se poursuit");
    expect(text).toContain("reste terminé");
    const token = secretIn(text);
    const preview = await platform.call("POST /withdrawals/undo/preview", { body: { token } });
    const refundDateTime = expect.any(String);
    expect(preview.body.payload).toEqual({ status: "over", refundDateTime });
    for (let time = 0; time < 2; time++) {
      expect((await undo(platform, "withdrawals", token)).body.payload).toEqual({ status: "over" });
    }
    await platform.runDueJobs();
    expect(await textTo(platform, person.email)).toContain("il n’est pas remboursé");
    await passDays(platform, 9);
    expect(await withdrawnOf(platform)).toEqual([]);
  });

  it("has a working link after the profile is deleted", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await declare(platform, "withdrawals", { name: "Ada Byron", email: person.email });
    const body = { token: secretIn(await textTo(platform, person.email)) };
    await platform.call("POST /withdrawals/confirm", { body });
    await passDays(platform, 3);
    const accounts = await platform.database.selectFrom("account").select("status").execute();
    expect(accounts).toEqual([{ status: "deleted" }]);
    const preview = await platform.call("POST /withdrawals/undo/preview", { body });
    expect(preview.body.payload).toEqual({
      status: "ended",
      closed: "withdrawn",
      accountDeleted: true,
    });
  });

  it("of every contract of a deleted account stays a right", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid: older } = await subscriptionOf(platform, person);
    platform.clock.advance(MINUTE_MS);
    // It ended unpaid, and its owner ordered again.
    const ended_at = platform.clock.now().toISOString();
    await platform.database.updateTable("subscription").set({ ended_at }).execute();
    await post(platform, await newPage(platform, person), { cardNumber: CARDS.success });
    const { uid } = await subscriptionOf(platform, person);
    expect(uid).not.toBe(older);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    const kept = await platform.database
      .selectFrom("subscription")
      .select("uid")
      .where("former_key", "is not", null)
      .execute();
    expect(kept.map((one) => one.uid).sort()).toEqual([older, uid].sort());
  });
});
