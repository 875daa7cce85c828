import { expect, it } from "vitest";
import type { Mail } from "../support/mail-parts";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { deleteCustomer } from "../support/stripe/payments";
import { lastPayment, newPage, signIn } from "./funnel";
import {
  back,
  mailAbout,
  mailsTo,
  newestMail,
  passDays,
  standStillReminded,
  subscriptionOf,
} from "./life";
import {
  DAY,
  bringBack,
  dispute,
  giveAllBack,
  isVip,
  newestIntent,
  openSubscribed,
  pay,
  tell,
  tellRefund,
  type Shop,
} from "./reversals";
import { MINUTE } from "./stripe-funnel";

onEachDatabase("a contract on hold, its payment gone back,", (open) => {
  const notify = (platform: TestPlatform, email: string, more: object = {}) =>
    platform.call("POST /cancellations", { body: { name: "Ada Byron", email, ...more } });

  const useLink = (platform: TestPlatform, { text }: Mail, call: "undo" | "undo/preview") => {
    const [, token] = /cancel-contract\/undo\?token=(\S+)/.exec(text) ?? [];
    return platform.call(`POST /cancellations/${call}`, { body: { token } });
  };
  const undo = (platform: TestPlatform, mail: Mail) => useLink(platform, mail, "undo");
  const preview = (platform: TestPlatform, mail: Mail) => useLink(platform, mail, "undo/preview");

  const charges = ({ stripe }: Shop) => stripe.account.all("payment_intent").length;

  async function onHold() {
    const shop = await openSubscribed(open, { isRenewed: true });
    const given = await giveAllBack(shop, shop.newest);
    return { shop, given, ...shop };
  }

  it("is cancelled by a notice, and charged no more", async () => {
    const { shop, given, platform, person } = await onHold();
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/nous ne demanderons plus aucun débit/);
    expect(text).toMatch(/votre profil est ensuite supprimé, sauf si vous avez un autre/);
    expect(text).toMatch(/undo\?token=/);
    await bringBack(shop, given);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      cancelled_at: "2026-11-27T10:00:00.000Z",
      ended_at: null,
      grace_until: null,
    });
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
  });

  it("promises no access to who cancels it after a stop", async () => {
    const { platform, person } = await onHold();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await platform.runDueJobs();
    const stopped = await newestMail(platform, person.email);
    expect(stopped.text).toContain("supprimé, sauf si vous avez un autre abonnement");
    await notify(platform, person.email);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Le renouvellement était déjà arrêté");
    expect(text).not.toContain("Vous gardez l’accès");
  });

  it("is stopped by its owner, and charged no more", async () => {
    const { shop, given, platform, person } = await onHold();
    const { token } = await back(platform, person);
    const stop = () => platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const { status, body } = await stop();
    expect([status, body.payload]).toEqual([
      202,
      { status: "ended", endsAt: "2026-11-27T10:00:00.000Z" },
    ]);
    expect((await stop()).status).toBe(409);
    await bringBack(shop, given);
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
  });

  const deniesAccess = (text: string) => {
    expect(text).toMatch(/L’accès est fermé depuis/);
    expect(text).toContain("et l’abonnement n’est pas renouvelé ensuite");
    expect(text).not.toContain("était suspendu");
    expect(text).not.toMatch(/rien ne change|reste(?:nt)? ouvert|Accès ouvert/);
  };

  it("is told by the letter of its owner's stop as suspended", async () => {
    const { platform, person } = await onHold();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await platform.runDueJobs();
    deniesAccess((await mailAbout(platform, person.email, "stop")).text);
  });

  it("is told by the letter of a planned stop as suspended", async () => {
    const shop = await openSubscribed(open);
    const { platform, person } = shop;
    await notify(platform, person.email, { date: "2026-12-05" });
    await platform.runDueJobs();
    await standStillReminded(platform, 7);
    await platform.runDueJobs();
    await giveAllBack(shop, newestIntent(shop));
    await passDays(platform, 10);
    deniesAccess((await mailAbout(platform, person.email, "notice-stop")).text);
  });

  it("is told by the receipt of a wished day as suspended, without debits", async () => {
    const { platform, person } = await onHold();
    await notify(platform, person.email, { date: "2027-01-15" });
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "notice");
    expect(text).toContain("L’accès est fermé depuis la date indiquée");
    expect(text).toMatch(/puis prend fin le 27\sjanv\.\s2027/);
    expect(text).not.toMatch(/prélèvements continuent|ne demanderons plus/);
  });

  it("can no longer be stopped after its period", async () => {
    const { platform, person } = await onHold();
    await passDays(platform, 31);
    const { token } = await back(platform, person);
    const stopped = await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(stopped.status).toBe(404);
    await notify(platform, person.email);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toMatch(/aucun abonnement/);
  });

  it("stays on hold when its cancellation is undone", async () => {
    const { shop, given, platform, person } = await onHold();
    await notify(platform, person.email);
    await platform.runDueJobs();
    const mail = await newestMail(platform, person.email);
    const resting = {
      status: "onHold",
      holdUntilDateTime: "2026-12-27T10:00:00.000Z",
      renewalAmount: 990,
    };
    expect((await preview(platform, mail)).body.payload).toEqual(resting);
    for (let time = 0; time < 2; time++) {
      expect((await undo(platform, mail)).body.payload).toEqual(resting);
    }
    await platform.runDueJobs();
    const told = (await newestMail(platform, person.email)).text.replace(/\s+/g, " ");
    expect(told).toContain("Résiliation annulée");
    expect(told).toContain("reste suspendu");
    expect(told).toContain("prochaine échéance est ce jour-là, au prix de 9,90 €");
    expect(told).not.toContain("déjà terminé");
    expect(
      (await mailsTo(platform, person.email)).filter((at) => at.endsWith("undone")),
    ).toHaveLength(1);
    await passDays(platform, 9);
    expect(charges(shop)).toBe(2);
    expect(await isVip(platform, person)).toBe(false);
    expect(await subscriptionOf(platform, person)).toMatchObject({ cancelled_at: null });
    await bringBack(shop, given);
    expect(await isVip(platform, person)).toBe(true);
    await passDays(platform, 30);
    expect(charges(shop)).toBe(3);
  });

  it("is told in the answer to a late withdrawal", async () => {
    const { platform, person } = await onHold();
    await passDays(platform, 15);
    const body = { name: "Ada Byron", email: person.email };
    const told = async () => {
      await platform.call("POST /withdrawals", { body });
      await platform.runDueJobs();
      return (await newestMail(platform, person.email)).text.replace(/\s+/g, " ");
    };
    const late = await told();
    expect(late).toContain("se poursuit si cette somme nous revient avant le 27 déc. 2026");
    // The access comes back with the money, as the letter of a stop says.
    expect(late).toContain("Pour qu’il ne soit plus renouvelé, résiliez-le");
    await notify(platform, person.email);
    await platform.runDueJobs();
    await passDays(platform, 1);
    expect(await told()).toContain(
      "Le contrat a déjà pris fin : nous ne demanderons plus aucun débit.",
    );
  });

  it("is told that another declaration still stops it", async () => {
    const { shop, given, platform, person } = await onHold();
    await notify(platform, person.email);
    await platform.runDueJobs();
    const mail = await newestMail(platform, person.email);
    platform.clock.advance(MINUTE);
    await notify(platform, person.email, { name: "Une autre" });
    await platform.runDueJobs();
    await undo(platform, mail);
    await platform.runDueJobs();
    const told = (await mailAbout(platform, person.email, "undone")).text.replace(/\s+/g, " ");
    expect(told).toContain("il reste arrêté. Une autre demande l’avait déjà prévu");
    expect(told).not.toContain("prochaine échéance");
    await bringBack(shop, given);
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
  });

  it("is not reopened by an earlier cancellation's link", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person, newest } = shop;
    await notify(platform, person.email);
    await platform.runDueJobs();
    const mail = await newestMail(platform, person.email);
    await giveAllBack(shop, newest);
    expect((await undo(platform, mail)).body.payload).toMatchObject({ status: "onHold" });
    await passDays(platform, 9);
    expect(await isVip(platform, person)).toBe(false);
    expect(charges(shop)).toBe(2);
  });

  it("returns without its card after another dispute", async () => {
    const { shop, given, platform, person } = await onHold();
    await tell(shop, "charge.dispute.created", dispute(shop, shop.first));
    await bringBack(shop, given);
    expect(await isVip(platform, person)).toBe(true);
    expect(await subscriptionOf(platform, person)).toMatchObject({ card_reference: null });
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
    expect((await mailsTo(platform, person.email)).join()).toContain("card-missing");
  });

  it("returns without a card that was removed meanwhile", async () => {
    const { shop, given, platform, person, stripe } = await onHold();
    const [customer] = stripe.account.all("customer");
    if (!customer) throw new Error("No customer is kept");
    deleteCustomer(stripe.account, customer.id);
    await tell(shop, "customer.deleted", customer);
    await bringBack(shop, given);
    expect(await isVip(platform, person)).toBe(true);
    expect(await subscriptionOf(platform, person)).toMatchObject({ card_reference: null });
  });

  it("is cancelled again after its link was used", async () => {
    const { shop, given, platform, person } = await onHold();
    await notify(platform, person.email);
    await platform.runDueJobs();
    await undo(platform, await newestMail(platform, person.email));
    platform.clock.advance(DAY);
    await notify(platform, person.email);
    await platform.runDueJobs();
    await bringBack(shop, given);
    await passDays(platform, 40);
    expect(charges(shop)).toBe(2);
  });

  it("continues instead of one that is paid meanwhile", async () => {
    const { shop, given, platform, person } = await onHold();
    const page = await newPage(platform, person);
    await bringBack(shop, given);
    shop.stripe.pay(page);
    await shop.stripe.deliver(platform, shop.stripe.told(page));
    await platform.runDueJobs();
    expect(await platform.database.selectFrom("subscription").select("uid").execute()).toHaveLength(
      1,
    );
    expect(shop.stripe.account.all("refund").slice(0, 1)).toMatchObject([
      { amount: 990, payment_intent: newestIntent(shop).id },
    ]);
    expect(await isVip(platform, person)).toBe(true);
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Failure",
      error: { code: "late" },
    });
  });

  it("closes another order’s open page when it continues", async () => {
    const { shop, given, platform, person } = await onHold();
    await newPage(platform, person);
    await bringBack(shop, given);
    platform.clock.advance(MINUTE);
    await platform.runDueJobs();
    const [page] = shop.stripe.account.all("checkout.session");
    expect(page).toMatchObject({ status: "expired" });
    expect(await lastPayment(platform, person)).toMatchObject({
      status: "Failure",
      error: { code: "cancelled" },
    });
  });

  it("keeps its own open page when it continues", async () => {
    const { shop, given, platform, person } = await onHold();
    await newPage(platform, person);
    // What a page opened before the hold asks for.
    const { uid, expires_at } = await subscriptionOf(platform, person);
    await platform.database
      .updateTable("payment")
      .set({ subscription_uid: uid, period_start: expires_at })
      .where("status", "=", "open")
      .execute();
    await bringBack(shop, given);
    platform.clock.advance(MINUTE);
    await platform.runDueJobs();
    const [page] = shop.stripe.account.all("checkout.session");
    expect(page).toMatchObject({ status: "open" });
  });

  async function stoppedAndDisputed() {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person } = shop;
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const opened = dispute(shop, shop.newest);
    await tell(shop, "charge.dispute.created", opened);
    expect(await isVip(platform, person)).toBe(false);
    return { shop, opened, ...shop };
  }

  it("keeps the profile while a bank decides", async () => {
    const { shop, opened, platform, person } = await stoppedAndDisputed();
    await passDays(platform, 20);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(await isVip(platform, person)).toBe(true);
    await passDays(platform, 12);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect(charges(shop)).toBe(2);
  });

  it("keeps the profile for 120 days at most", async () => {
    const { platform, person } = await stoppedAndDisputed();
    await passDays(platform, 119);
    expect((await signIn(platform, person.email)).status).toBe(200);
    await passDays(platform, 3);
    expect((await signIn(platform, person.email)).status).toBe(401);
  });

  it("stays on hold once its profile is deleted", async () => {
    const { shop, opened, platform, person } = await stoppedAndDisputed();
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    const { ended_at } = await subscriptionOf(platform, person);
    expect(ended_at).not.toBeNull();
  });

  const doubles = ({ lines }: Shop) => lines.filter((line) => line.startsWith("paid twice"));

  it("stays closed beside another contract, which is logged", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person, newest } = shop;
    const given = await giveAllBack(shop, newest);
    platform.clock.advance(DAY);
    await pay(shop);
    await bringBack(shop, given);
    await tell(shop, "refund.updated", given);
    expect(doubles(shop)).toHaveLength(1);
    const [line] = doubles(shop);
    expect(line).toMatch(/give the payment back by hand unless it is due/);
    expect(line).toContain(newest.metadata.paymentUid);
    expect(line).toContain(newest.id);
    const running = platform.database.selectFrom("subscription").where("ended_at", "is", null);
    expect(await running.select("uid").execute()).toHaveLength(1);
    expect(await isVip(platform, person)).toBe(true);
  });

  it("is logged when the dispute is won late", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, newest } = shop;
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    platform.clock.advance(DAY);
    await pay(shop);
    await passDays(platform, 60);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(doubles(shop)).toHaveLength(1);
  });

  it("is logged when won after the profile's deletion", async () => {
    const shop = await openSubscribed(open, { isRenewed: true });
    const { platform, person, newest } = shop;
    const opened = dispute(shop, newest);
    await tell(shop, "charge.dispute.created", opened);
    platform.clock.advance(DAY);
    await pay(shop);
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    expect(doubles(shop)).toHaveLength(1);
    expect(await subscriptionOf(platform, person)).not.toMatchObject({ ended_at: null });
  });

  it("is not logged without another contract", async () => {
    const { shop, given, platform } = await onHold();
    await passDays(platform, 60);
    await pay(shop);
    await bringBack(shop, given);
    expect(doubles(shop)).toEqual([]);
  });

  it("stays ended after a withdrawal", async () => {
    const shop = await openSubscribed(open);
    const { platform, person, stripe, first } = shop;
    const opened = dispute(shop, first);
    await tell(shop, "charge.dispute.created", opened);
    const { token } = await back(platform, person);
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { token, body });
    stripe.account.refundsBecome = "pending";
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await passDays(platform, 1);
    expect(stripe.account.all("refund")).toMatchObject([{ amount: 100, status: "pending" }]);
    await tellRefund(shop, first);
    expect(await isVip(platform, person)).toBe(false);
    expect((await mailsTo(platform, person.email)).join()).not.toContain("returned");
  });

  it("that has ended gives way to a paid page", async () => {
    const shop = await openSubscribed(open);
    const { clock, platform, person, stripe, first } = shop;
    clock.advance(7 * DAY - 20 * MINUTE);
    const opened = dispute(shop, first);
    await tell(shop, "charge.dispute.created", opened);
    const page = await newPage(platform, await back(platform, person));
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await notify(platform, person.email);
    await platform.runDueJobs();
    clock.advance(30 * MINUTE);
    // The page is paid before the job that ends the first contract has run.
    stripe.pay(page);
    await lastPayment(platform, await back(platform, person));
    expect(await isVip(platform, person)).toBe(true);
    await passDays(platform, 3);
    expect(await isVip(platform, person)).toBe(true);
    expect(stripe.account.all("refund")).toEqual([]);
  });
});
