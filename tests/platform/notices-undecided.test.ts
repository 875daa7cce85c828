import { expect, it } from "vitest";
import type { SandboxOptions } from "../../server/platform/payments/sandbox/notifier";
import { recordDecision } from "../../server/platform/subscriptions/settlement";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { payByCard } from "./card-form";
import { subscriptionContext } from "./context";
import { CARDS, newAddress, newPage, newPerson, post, type Person } from "./funnel";
import {
  back,
  ledgerOf,
  loseCard,
  mailAbout,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import { aboutAda, declare, KINDS, orderUndecided } from "./undecided";

const HOUR_MS = 3_600_000;
const DUE = "2026-11-27T10:00:00.000Z";

const passHours = (platform: TestPlatform, hours: number) =>
  passTo(platform, new Date(platform.clock.now().getTime() + hours * HOUR_MS).toISOString());

/** What moved at the bank, as `charge 100 success`. */
const movedFor = async (platform: TestPlatform, { email }: Person) =>
  (await ledgerOf(platform, email)).map((line) => line.split(" ").slice(1).join(" "));

/** Somebody whose earlier contract ended unpaid, and who has kept the account. */
async function returned(platform: TestPlatform) {
  const person = await subscriber(platform);
  await loseCard(platform, person);
  await passDays(platform, 40);
  return back(platform, person);
}

onEachDatabase("a notice after an order that the bank decides on", (open) => {
  it.each(KINDS)("takes effect as one of the %s on the contract that begins", async (kind) => {
    const platform = await open();
    const person = await newPerson(platform);
    const { decide } = await orderUndecided(platform, person);
    await declare(platform, kind, person);
    expect(await mailsTo(platform, person.email)).toEqual([]);
    await decide();
    await passDays(platform, 12);
    const charged = ["charge 100 success"];
    expect(await movedFor(platform, person)).toEqual(
      kind === "withdrawals" ? charged.concat("refund 100 success") : charged,
    );
  });

  it.each(KINDS)("of its owner is none of the ended contract's %s", async (kind) => {
    const platform = await open();
    const person = await returned(platform);
    const { decide } = await orderUndecided(platform, person);
    const receipt = await declare(platform, kind, person, person.token);
    expect(receipt.awaitsConfirmation).toBe(false);
    expect(aboutAda(platform, person)).toEqual([]);
    await decide();
    await passHours(platform, 1);
    const { cancelled_at, withdrawn_at } = await subscriptionOf(platform, person);
    // The owner is signed in: nothing is left to confirm.
    expect(kind === "withdrawals" ? withdrawn_at : cancelled_at).not.toBeNull();
    await passDays(platform, 40);
    const charges = (await movedFor(platform, person)).filter((line) => line.startsWith("charge"));
    expect(charges.filter((line) => line.endsWith("success"))).toHaveLength(2);
  });

  it.each(KINDS)("of the %s has its receipt after an hour", async (kind) => {
    const platform = await open();
    const person = await returned(platform);
    const { decide } = await orderUndecided(platform, person);
    await declare(platform, kind, person);
    await passHours(platform, 3);
    const [receipt, ...others] = aboutAda(platform, person);
    expect(receipt?.text).toContain("La banque n’a pas encore décidé");
    expect(receipt?.text).not.toMatch(/plus (?:rien ne sera débité|aucun débit)/);
    expect(others).toEqual([]);
    await decide();
    await passHours(platform, 1);
    expect(aboutAda(platform, person)).toHaveLength(2);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it.each(KINDS)("that names an ended contract joins its %s at once", async (kind) => {
    const platform = await open();
    const person = await returned(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    const { decide } = await orderUndecided(platform, person);
    const body = { name: "Ada Byron", email: person.email, reference };
    expect((await platform.call(`POST /${kind}`, { body })).status).toBe(202);
    await platform.runDueJobs();
    const [receipt, ...others] = aboutAda(platform, person);
    expect(receipt?.text).toContain(reference);
    expect(others).toEqual([]);
    await decide();
    await passHours(platform, 1);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it.each(KINDS)("joins the %s of a card order confirmed later", async (kind) => {
    const platform = await open();
    const person = await newPerson(platform);
    const { body } = await payByCard(platform, person, { card: CARDS.challenge });
    platform.clock.advance(1000);
    await declare(platform, kind, person);
    platform.clock.advance(1000);
    await post(platform, body.payload.redirect, { intent: "confirm" });
    await passHours(platform, 1);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it.each(KINDS)("joins the %s of an order reported later", async (kind) => {
    const platform = await open({ sandbox: { dropNotifications: true } });
    const person = await newPerson(platform);
    await newPage(platform, person);
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    const paidAt = platform.clock.now();
    platform.clock.advance(1000);
    await declare(platform, kind, person);
    platform.clock.advance(1000);
    const context = subscriptionContext(platform);
    await recordDecision(context, uid, { status: "pending" });
    const card = { cardReference: "card", cardHint: "424242…4242" };
    await recordDecision(context, uid, { status: "success", paidAt, ...card });
    await passHours(platform, 1);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
  });

  it.each(KINDS)("received before it is one of the %s of no contract", async (kind) => {
    const platform = await open();
    const person = await newPerson(platform);
    const body = { name: "Ada Byron", email: person.email };
    expect((await platform.call(`POST /${kind}`, { body })).status).toBe(202);
    platform.clock.advance(1000);
    await platform.database
      .updateTable("job")
      .set({ lease_until: "9999-12-31T00:00:00.000Z" })
      .where("kind", "=", "notice.process")
      .execute();
    const { decide } = await orderUndecided(platform, person);
    await platform.database.updateTable("job").set({ lease_until: null }).execute();
    await platform.runDueJobs();
    expect(aboutAda(platform, person)).toHaveLength(1);
    await decide();
    await passHours(platform, 1);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
  });

  it("does not fall on the contract of a deleted account", async () => {
    const platform = await open();
    const former = await subscriber(platform);
    await passDays(platform, 2);
    await platform.call(`DELETE /users/${former.uid}`, { token: former.token });
    const person = await newPerson(platform, former.email);
    const { decide } = await orderUndecided(platform, person);
    await declare(platform, "withdrawals", person);
    await passHours(platform, 2);
    await decide();
    await passDays(platform, 9);
    expect((await subscriptionOf(platform, person)).withdrawn_at).not.toBeNull();
    expect((await subscriptionOf(platform, former)).withdrawn_at).toBeNull();
  });

  it("stops a running contract at once while its due period is paid", async () => {
    const platform = await open();
    const subscribed = await subscriber(platform);
    await loseCard(platform, subscribed);
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    const person = await back(platform, subscribed);
    await orderUndecided(platform, person);
    await declare(platform, "cancellations", person);
    expect((await subscriptionOf(platform, person)).cancelled_at).not.toBeNull();
    expect(aboutAda(platform, person)).toHaveLength(1);
  });
});

const NAMED = /Un débit de 9,90\s€, demandé avant, est encore en cours à la banque\./;
const DENIED = /[Pp]lus rien ne sera débité|Prochain prélèvement|débités (?:aujourd’hui|le)/;

onEachDatabase("a notice during an undecided debit", (open) => {
  /** The bank was asked on the day of the debit, and its answers are lost. */
  async function charged(dueAt = DUE) {
    const sandbox: SandboxOptions = {};
    const platform = await open({ sandbox });
    const person = await subscriber(platform);
    await passTo(platform, new Date(Date.parse(dueAt) - HOUR_MS).toISOString());
    Object.assign(sandbox, { loseAnswers: true });
    await passHours(platform, 3);
    const recover = () => Object.assign(sandbox, { loseAnswers: false });
    return { platform, person: await back(platform, person), recover };
  }

  async function told(platform: TestPlatform, person: Person) {
    await passHours(platform, 1);
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(NAMED);
    expect(text).not.toMatch(DENIED);
    return { text, token: /\?token=(\S+)/.exec(text)?.[1] ?? "" };
  }

  it.each(["before", "after"])("withdraws with a refund decided %s it", async (order) => {
    const { platform, person, recover } = await charged();
    await declare(platform, "withdrawals", person);
    const { text, token } = await told(platform, person);
    expect(text).toContain("il vous est remboursé aussi, sauf si la rétractation est annulée");
    const confirm = () => platform.call("POST /withdrawals/confirm", { body: { token } });
    if (order === "before") {
      recover();
      await passHours(platform, 2);
      expect((await confirm()).status).toBe(200);
    } else {
      expect((await confirm()).status).toBe(200);
      await platform.runDueJobs();
      for (const cause of ["notice", "ended"]) {
        const { text } = await mailAbout(platform, person.email, cause);
        expect(text).toMatch(NAMED);
        expect(text).toContain("il vous est remboursé aussitôt");
        expect(text).not.toMatch(DENIED);
      }
      recover();
    }
    await passDays(platform, 1);
    const moved = await movedFor(platform, person);
    expect(moved.filter((line) => line.startsWith("refund")).sort()).toEqual([
      "refund 100 success",
      "refund 990 success",
    ]);
  });

  it("too late to withdraw names it, and no other day", async () => {
    const { platform, person } = await charged("2026-12-27T10:00:00.000Z");
    await declare(platform, "withdrawals", person);
    const { text } = await told(platform, person);
    expect(text).toContain("Le contrat se poursuit");
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await declare(platform, "withdrawals", person);
    await passHours(platform, 1);
    expect((await told(platform, person)).text).toContain("sinon, jusqu’à la date indiquée");
  });

  it("of a contract that is stopped names it again", async () => {
    const { platform, person } = await charged();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await declare(platform, "cancellations", person);
    expect((await told(platform, person)).text).toContain("était déjà arrêté");
  });

  it.each(KINDS)("of the %s names it when others cover it", async (kind) => {
    const { platform, person } = await charged();
    for (let index = 0; index < 20; index++) {
      const body = { name: `Inconnue ${index}`, email: person.email };
      const headers = { "x-client-address": newAddress() };
      expect((await platform.call(`POST /${kind}`, { body, headers })).status).toBe(202);
    }
    await platform.runDueJobs();
    await declare(platform, kind, person);
    const covered = await platform.database
      .selectFrom("mail")
      .select("text")
      .where("key", "like", "notice:%:notice-covered")
      .execute();
    expect(covered.map(({ text }) => text)).toEqual([expect.stringMatching(NAMED)]);
  });

  it("is undone without another debit", async () => {
    const { platform, person, recover } = await charged();
    await declare(platform, "cancellations", person);
    const { token } = await told(platform, person);
    const preview = await platform.call("POST /cancellations/undo/preview", { body: { token } });
    expect(preview.body.payload).toEqual({ status: "undone", undecidedAmount: 990 });
    await undoAsShown(platform, token);
    expect((await told(platform, person)).text).toContain("il paie la période suivante");
    recover();
    await passDays(platform, 2);
    expect(await movedFor(platform, person)).toEqual(["charge 100 success", "charge 990 success"]);
  });

  it("undone beside another stop still names it", async () => {
    const { platform, person } = await charged();
    await declare(platform, "cancellations", person);
    const { token } = await told(platform, person);
    await platform.call("POST /cancellations", { body: { name: "Zoé", email: person.email } });
    await passHours(platform, 1);
    const preview = await platform.call("POST /cancellations/undo/preview", { body: { token } });
    expect(preview.body.payload).toEqual({ status: "stopped", undecidedAmount: 990 });
    await undoAsShown(platform, token);
    expect((await told(platform, person)).text).toContain("reste toutefois arrêté");
  });
});

onEachDatabase("undoing a notice after its contract ended during an early payment", (open) => {
  /** The card expires before the debit, so that its owner pays early; the bank keeps that payment undecided. */
  async function ended(card: string) {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.database.updateTable("subscription").set({ card_expiry: "2026-10" }).execute();
    const { decide } = await orderUndecided(platform, person, card);
    await passDays(platform, 3);
    await declare(platform, "cancellations", person);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: DUE });
    const [receipt] = aboutAda(platform, person);
    const token = /\?token=(\S+)/.exec(receipt?.text ?? "")?.[1] ?? "";
    const undo = () => undoAsShown(platform, token);
    return { platform, person: await back(platform, person), token, undo, decide };
  }

  it("names that payment as the person's own, and no other debit", async () => {
    const { platform, person, token, undo } = await ended(CARDS.pending);
    const preview = await platform.call("POST /cancellations/undo/preview", { body: { token } });
    const own = { undecidedAmount: 990, isUndecidedOwn: true };
    expect(preview.body.payload).toEqual({ status: "undone", ...own });
    expect((await undo()).body.payload).toEqual({ status: "undone" });
    await passHours(platform, 1);
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(NAMED);
    expect(text).not.toMatch(DENIED);
  });

  it("is paid by that payment alone", async () => {
    const { platform, person, undo, decide } = await ended(CARDS.pending);
    await undo();
    await decide();
    await passDays(platform, 14);
    expect(await movedFor(platform, person)).toEqual(["charge 100 success", "charge 990 success"]);
    const paid = { ended_at: null, expires_at: "2026-12-27T10:00:00.000Z" };
    expect(await subscriptionOf(platform, person)).toMatchObject(paid);
  });

  it("is left to the person once the bank refuses it", async () => {
    const { platform, person, undo, decide } = await ended(CARDS.pendingDeclined);
    await undo();
    await decide();
    await passHours(platform, 1);
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload).toMatchObject({ dueReason: "expiring" });
    await passDays(platform, 14);
    const refused = ["charge 100 success", "charge 990 declined"];
    expect(await movedFor(platform, person)).toEqual(refused);
    const endedAgain = { ended_at: "2026-12-05T10:00:00.000Z" };
    expect(await subscriptionOf(platform, person)).toMatchObject(endedAgain);
  });
});
