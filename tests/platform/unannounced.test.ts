import { afterEach, expect, it, vi } from "vitest";
import { sql, type Migration } from "kysely";
import { dayOf } from "../../app/contract/day";
import { calendarOf } from "../../app/contract/periods";
import type { DurationUnit } from "../../app/contract/subscriptions";
import { main as data } from "../../server/cli/data";
import * as unannounced from "../../server/platform/database/migrations/0060-unannounced-renewals";
import type { PlatformOptions } from "../../server/platform";
import { listOwed } from "../../server/platform/money/owed-refunds";
import { listCredits } from "../../server/platform/subscriptions/credit-list";
import { orderRefund } from "../../server/platform/subscriptions/ordered-refunds";
import { endByLetter } from "../../server/platform/subscriptions/written-end";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runAt } from "./command";
import { silent } from "./context";
import { CASHBACK, newPage, newPerson, post, type Person } from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  loseCard,
  mailAbout,
  mailsSentTo,
  newestMail,
  passDays,
  passTo,
  standStillReminded,
  subscriber,
  subscriptionOf,
  undoAsShown,
} from "./life";
import {
  bringBack,
  dispute,
  giveAllBack,
  newestIntent,
  openSubscribed,
  pay,
  refunds,
  tell,
  type Shop,
} from "./reversals";

/** In each mail about a period that was renewed without its notice. */
const UNTOLD = "sans que le rappel prévu par la loi";
const PRICE = 2500;

afterEach(() => vi.unstubAllEnvs());

const endAtWill = (
  { database: db, clock }: TestPlatform,
  reference: string,
  day = dayOf(clock.now()),
) => endByLetter({ db, clock, calendar: calendarOf(undefined) }, reference, day);

const daysOf = (from: string | null, until: string | null) =>
  Math.round((Date.parse(until ?? "") - Date.parse(from ?? "")) / DAY_MS);

const enterEnd = (platform: TestPlatform, uid: string, day = dayOf(platform.clock.now())) =>
  runAt(platform, data, ["end", uid, "--declared", day]);

/** Somebody else declares a cancellation: the secret of the mailed link that undoes it. */
async function declareStranger(platform: TestPlatform, { email }: Person) {
  await platform.call("POST /cancellations", { body: { name: "Une Inconnue", email } });
  await passDays(platform, 0.01);
  const { text } = await newestMail(platform, email);
  return /[?&]token=(\S+)/.exec(text)?.[1] ?? "";
}

onEachDatabase("a period that was renewed without its notice", (open) => {
  /** Somebody whose period was renewed after a standstill that let no notice go out. */
  async function renewed(
    period: [number, DurationUnit] = [1, "year"],
    isAnnounced = false,
    options: Partial<PlatformOptions> = {},
  ) {
    const platform = await open(options);
    const formula = await addFormula(platform, period);
    const ordered = await subscriber(platform, { formula });
    const { expires_at } = await subscriptionOf(platform, ordered);
    if (isAnnounced) await passTo(platform, expires_at);
    platform.clock.advance(Date.parse(expires_at) - platform.clock.now().getTime());
    await platform.runDueJobs();
    const person = await back(platform, ordered);
    return { platform, person };
  }

  const payLater = (platform: TestPlatform, days: number) => {
    platform.clock.advance(days * DAY_MS);
    return platform.runDueJobs();
  };

  const remove = async (platform: TestPlatform, person: Person) => {
    const { uid, token } = await back(platform, person);
    return platform.call(`DELETE /users/${uid}`, { token });
  };

  const refundsIn = ({ database }: TestPlatform) =>
    database.selectFrom("refund").selectAll().orderBy("created_at").orderBy("uid").execute();

  const amountsIn = async (platform: TestPlatform) =>
    (await refundsIn(platform)).map(({ amount, status }) => [amount, status]);

  const offered = async (platform: TestPlatform, person: Person) => {
    const { token } = await back(platform, person);
    return (await platform.call("GET /subscriptions", { token })).body.payload.refundOnDeletion;
  };

  const renewalIn = ({ database }: TestPlatform) =>
    database
      .selectFrom("payment")
      .selectAll()
      .where("kind", "=", "renewal")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();

  /** Sixty days of the 366 from November 2027 are over. */
  const REST = Math.ceil((PRICE * 306) / 366);

  /** A letter counts from the beginning of its day, which counts as left, too. */
  const REST_OF_DAY = Math.ceil((PRICE * 307) / 366);

  it("is none after a short trial, however late its debit", async () => {
    const platform = await open();
    const { database } = platform;
    await database.updateTable("formula").set({ period_duration_unit: "year" }).execute();
    const ordered = await subscriber(platform);
    await standStillReminded(platform, 16);
    await platform.runDueJobs();
    const person = await back(platform, ordered);
    expect(await renewalIn(platform)).toMatchObject({ status: "success", unannounced: null });
    expect(await offered(platform, person)).toBeUndefined();
    expect((await newestMail(platform, person.email)).text).not.toContain(UNTOLD);
  });

  it("gives its rest back when the account is deleted", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const { covers_until: untilDateTime } = await renewalIn(platform);
    expect(await offered(platform, person)).toEqual({ amount: REST, untilDateTime });
    expect((await remove(platform, person)).status).toBe(202);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST, "success"]]);
    expect((await ledgerOf(platform, `deleted:${person.uid}`)).join()).toContain(`refund ${REST}`);
    const mails = mailsSentTo(platform, person);
    const deleted = mails.find(({ text }) => text.includes("nous avons supprimé votre profil"));
    expect(deleted?.text).toContain("la part de son paiement qui correspond au temps restant");
    expect(deleted?.text).toMatch(/Remboursement\s: 20,91\s€/);
    expect(mails.some(({ text }) => text.includes("Nous avons rendu la somme"))).toBe(true);
  });

  it("is given back once, however often that is asked", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const { uid, token } = await back(platform, person);
    const ask = () => platform.call(`DELETE /users/${uid}`, { token });
    await Promise.all([ask(), ask(), ask()]);
    await ask();
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST, "success"]]);
  });

  it.each([
    ["a short period", [1, "month"], false],
    ["an announced one", [1, "year"], true],
  ] as const)("is told apart from %s, of which nothing goes back", async (_, period, isTold) => {
    const { platform, person } = await renewed([...period], isTold);
    await payLater(platform, 10);
    expect(await offered(platform, person)).toBeUndefined();
    await remove(platform, person);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([]);
    expect(mailsSentTo(platform, person).some(({ text }) => text.includes(UNTOLD))).toBe(false);
  });

  it("gives no more back than is left", async () => {
    const { platform, person } = await renewed();
    const { uid: paymentUid } = await renewalIn(platform);
    const { database: db, clock } = platform;
    const order = { paymentUid, amount: 2000, by: "Zoé", reason: "Geste" };
    await orderRefund({ db, clock }, order);
    await payLater(platform, 60);
    await remove(platform, person);
    await platform.runDueJobs();
    expect((await amountsIn(platform)).sort()).toEqual([
      [2000, "success"],
      [500, "success"],
    ]);
  });

  it("is owed, and its person told so, where no bank takes it", async () => {
    const options = { sandbox: { refuseRefunds: true }, log: silent };
    const { platform, person } = await renewed([1, "year"], false, options);
    await payLater(platform, 60);
    await remove(platform, person);
    await passDays(platform, 6);
    expect(await amountsIn(platform)).toEqual([[REST, "failure"]]);
    expect(await listOwed(platform.database)).toMatchObject([
      { amount: REST, email: person.email, why: "refused" },
    ]);
    const mails = mailsSentTo(platform, person).map(({ text }) => text);
    expect(mails.filter((text) => /vous reste due[^]*20,91\s€/.test(text))).toHaveLength(1);
  });

  it("is remembered longer than the mails that tell it", async () => {
    const { platform, person } = await renewed();
    await platform.database.deleteFrom("mail").execute();
    await payLater(platform, 60);
    expect(await offered(platform, person)).toMatchObject({ amount: REST });
  });

  it("is given back by the mailed release, which names it", async () => {
    const { platform, person } = await renewed();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await payLater(platform, 60);
    const body = { identifier: person.email, formula: "test", password: "une-autre-orbite" };
    await platform.call("POST /registrations/register", { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = /registration\/release\?token=(\S+)/.exec(text)?.[1] ?? "";
    const asked = { body: { token } };
    const preview = await platform.call("POST /registrations/release/check", asked);
    expect(preview.body.payload.refundOnDeletion).toMatchObject({ amount: REST });
    expect(await amountsIn(platform)).toEqual([]);
    await platform.call("POST /registrations/release", asked);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST, "success"]]);
    expect((await platform.call("POST /registrations/release/check", asked)).status).toBe(400);
  });

  it("costs nothing twice in a race with its renewal", async () => {
    const { platform, person } = await renewed([3, "month"]);
    const { covers_until } = await renewalIn(platform);
    platform.clock.advance(Date.parse(covers_until ?? "") - platform.clock.now().getTime());
    const { uid, token } = await back(platform, person);
    await Promise.all([platform.runDueJobs(), platform.call(`DELETE /users/${uid}`, { token })]);
    await platform.runDueJobs();
    const later = await platform.database
      .selectFrom("bank_movement")
      .select(["kind", "amount"])
      .where("at", ">=", covers_until ?? "")
      .execute();
    const paid = later.map(({ kind, amount }) => (kind === "refund" ? -amount : amount));
    expect(paid.reduce((sum, amount) => sum + amount, 0)).toBe(0);
  });

  it("is given back once in a race with an undone notice", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const link = await declareStranger(platform, person);
    const { uid, token } = await back(platform, person);
    await Promise.all([
      undoAsShown(platform, link),
      platform.call(`DELETE /users/${uid}`, { token }),
    ]);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST, "success"]]);
  });

  it("ends by the operator's command, and its rest goes back", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const { uid } = await subscriptionOf(platform, person);
    const { code, out } = await enterEnd(platform, uid);
    expect({ code, out }).toEqual({
      code: 0,
      out: [expect.stringMatching(new RegExp(`${REST_OF_DAY} cents .* mails ${person.email}`))],
    });
    const at = platform.clock.now().toISOString();
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: at });
    expect(await amountsIn(platform)).toEqual([[REST_OF_DAY, "success"]]);
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toContain("Comme vous nous l’avez écrit");
    expect(text).toMatch(/Remboursement\s: 20,97\s€/);
    await passDays(platform, 400);
    const charges = platform.database.selectFrom("bank_movement").where("kind", "=", "charge");
    const later = await charges.select("uid").where("at", ">=", at).execute();
    expect(later).toEqual([]);
    expect(await amountsIn(platform)).toHaveLength(1);
  });

  it("is ended once, however often the operator enters it", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const { uid } = await subscriptionOf(platform, person);
    const answers = await Promise.all([endAtWill(platform, uid), endAtWill(platform, uid)]);
    const first = { rest: REST_OF_DAY, isHeld: false, recipient: person.email };
    expect(answers).toContainEqual({ ...first, disputed: null });
    const done = { done: expect.stringMatching(/ended before, on 20\d\d-\d\d-\d\d$/) };
    expect(answers).toContainEqual(done);
    await platform.runDueJobs();
    expect(await endAtWill(platform, uid)).toEqual(done);
    await remove(platform, person);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST_OF_DAY, "success"]]);
  });

  it("that was announced is not ended by the operator", async () => {
    const { platform, person } = await renewed([1, "year"], true);
    await payLater(platform, 10);
    const { uid } = await subscriptionOf(platform, person);
    const { code, error } = await enterEnd(platform, uid);
    expect({ code, error }).toEqual({
      code: 1,
      error: [expect.stringContaining("was not renewed without its notice")],
    });
    expect(await endAtWill(platform, "nobody")).toEqual({
      refusal: "There is no contract nobody",
    });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      cancelled_at: null,
    });
  });

  it("whose money went back is not ended by the operator", async () => {
    const { platform, person } = await renewed();
    const { uid: paymentUid } = await renewalIn(platform);
    const { database: db, clock } = platform;
    await orderRefund({ db, clock }, { paymentUid, amount: null, by: "Zoé", reason: "Geste" });
    const { uid } = await subscriptionOf(platform, person);
    expect(await endAtWill(platform, uid)).toEqual({
      refusal: expect.stringContaining(`Nothing is left of ${paymentUid}`),
    });
  });

  it("ends as of the letter, however late it is entered", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const day = dayOf(platform.clock.now());
    await payLater(platform, 10);
    const { uid } = await subscriptionOf(platform, person);
    expect((await enterEnd(platform, uid, day)).code).toBe(0);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST_OF_DAY, "success"]]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      cancelled_at: expect.stringMatching(/T23:00:00.001Z$/),
      ended_at: platform.clock.now().toISOString(),
    });
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/Déclarée le\s: 19\sjanv\.\s2028/);
    expect(text).not.toContain("Résiliation reçue le");
  });

  it("ends by a letter of no other day", async () => {
    const { platform, person } = await renewed();
    const { covers_from } = await renewalIn(platform);
    const { uid } = await subscriptionOf(platform, person);
    const yesterday = dayOf(new Date(Date.parse(covers_from ?? "") - DAY_MS));
    expect(await endAtWill(platform, uid, yesterday)).toEqual({
      refusal: expect.stringContaining(`on ${yesterday} was not renewed without its notice`),
    });
    const tomorrow = dayOf(new Date(platform.clock.now().getTime() + DAY_MS));
    expect(await endAtWill(platform, uid, tomorrow)).toEqual({
      refusal: expect.stringContaining(`${tomorrow} is after today`),
    });
    expect(await endAtWill(platform, uid)).toMatchObject({ rest: PRICE });
  });

  it("gives a renewal since its letter back whole", async () => {
    const { platform, person } = await renewed();
    const { covers_until } = await renewalIn(platform);
    const day = dayOf(new Date(Date.parse(covers_until ?? "") - 2 * DAY_MS));
    await passTo(platform, covers_until ?? "");
    await passDays(platform, 3);
    expect(await renewalIn(platform)).toMatchObject({ covers_from: covers_until });
    const { uid } = await subscriptionOf(platform, person);
    const rest = Math.ceil((PRICE * 3) / 366);
    expect(await endAtWill(platform, uid, day)).toMatchObject({ rest: rest + PRICE });
    await platform.runDueJobs();
    expect((await amountsIn(platform)).sort()).toEqual([
      [rest, "success"],
      [PRICE, "success"],
    ]);
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/soit 25,00\s€/);
    expect(text).toMatch(/Remboursement\s: 25,21\s€/);
  });

  it("that a stop had ended gives back what its letter claims", async () => {
    const { platform, person } = await renewed([3, "month"]);
    const { covers_from, covers_until } = await renewalIn(platform);
    await payLater(platform, 88);
    const { uid } = await subscriptionOf(platform, person);
    const link = await declareStranger(platform, person);
    await passTo(platform, covers_until ?? "");
    const { ended_at } = await subscriptionOf(platform, person);
    expect(ended_at).toBe(covers_until);
    const letter = dayOf(new Date(Date.parse(covers_from ?? "") + 31 * DAY_MS));
    const rest = Math.ceil(
      (PRICE * (daysOf(covers_from, covers_until) - 30)) / daysOf(covers_from, covers_until),
    );
    expect((await enterEnd(platform, uid, letter)).out.join()).toContain(`${rest} cents`);
    const done = { done: expect.stringMatching(/ended before, on 20\d\d-\d\d-\d\d$/) };
    expect(await endAtWill(platform, uid, letter)).toEqual(done);
    await platform.runDueJobs();
    expect(await endAtWill(platform, uid, letter)).toEqual(done);
    expect((await undoAsShown(platform, link)).body.payload).toEqual({ status: "ended" });
    expect(await amountsIn(platform)).toEqual([[rest, "success"]]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at });
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Nous avons rendu la somme");
  });

  it("that a deletion had ended gives back what its letter claims", async () => {
    const { platform, person } = await renewed();
    const { uid } = await subscriptionOf(platform, person);
    await payLater(platform, 30);
    const letter = dayOf(platform.clock.now());
    await payLater(platform, 30);
    await remove(platform, person);
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[REST, "success"]]);
    const owed = Math.ceil((PRICE * 337) / 366) - REST;
    const { out } = await enterEnd(platform, uid, letter);
    expect(out.join()).toMatch(new RegExp(`${owed} cents .* mails ${person.email}`));
    const later = dayOf(platform.clock.now());
    for (const day of [letter, later]) {
      expect(await endAtWill(platform, uid, day)).toHaveProperty("done");
      await platform.runDueJobs();
    }
    expect(await amountsIn(platform)).toEqual([
      [REST, "success"],
      [owed, "success"],
    ]);
    const mails = mailsSentTo(platform, person).map(({ text }) => text);
    expect(mails.filter((text) => text.includes("Nous avons rendu la somme"))).toHaveLength(2);
  });

  it("ended with its renewals gives those back, too", async () => {
    const { platform, person } = await renewed();
    const { covers_until } = await renewalIn(platform);
    const day = dayOf(new Date(Date.parse(covers_until ?? "") - 2 * DAY_MS));
    await passTo(platform, covers_until ?? "");
    await passDays(platform, 3);
    const { uid } = await subscriptionOf(platform, person);
    await remove(platform, person);
    const rest = Math.ceil((PRICE * 3) / 366);
    expect(await endAtWill(platform, uid, day)).toMatchObject({ rest: rest + PRICE });
    expect(await endAtWill(platform, uid, day)).toHaveProperty("done");
    await platform.runDueJobs();
    expect(await endAtWill(platform, uid, day)).toHaveProperty("done");
    expect((await amountsIn(platform)).sort()).toEqual([
      [rest, "success"],
      [PRICE, "success"],
    ]);
  });

  /** With a cashback that is due, and a first renewal without its notice. */
  async function renewedWithCashback() {
    const platform = await open();
    const yearly = { period_duration: 1, period_duration_unit: "year" } as const;
    await platform.database.updateTable("formula").set(yearly).execute();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    await passDays(platform, 60);
    const listed = () => listCredits(platform.database, { status: null, day: null });
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    const { uid, expires_at } = await subscriptionOf(platform, person);
    platform.clock.advance(Date.parse(expires_at) - platform.clock.now().getTime());
    await platform.runDueJobs();
    return { platform, person, uid, listed };
  }

  /** With a letter of two days before the end of that renewal, entered three days after it. */
  async function renewedTwiceWithCashback() {
    const shop = await renewedWithCashback();
    const { platform } = shop;
    const { covers_until } = await renewalIn(platform);
    await passTo(platform, covers_until ?? "");
    await passDays(platform, 3);
    const letter = dayOf(new Date(Date.parse(covers_until ?? "") - 2 * DAY_MS));
    return { ...shop, letter };
  }

  it("ended late by letter leaves an earned cashback due", async () => {
    const { platform, uid, listed, letter } = await renewedTwiceWithCashback();
    expect(await endAtWill(platform, uid, letter)).toHaveProperty("rest");
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toContainEqual([1490, "success"]);
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
  });

  it("ended by letter after an unpaid end leaves a cashback due", async () => {
    const { platform, person, uid, listed, letter } = await renewedTwiceWithCashback();
    await loseCard(platform, person);
    await passTo(platform, (await subscriptionOf(platform, person)).expires_at);
    await passDays(platform, 9);
    const ended = await subscriptionOf(platform, person);
    expect(ended).toMatchObject({ ended_at: expect.any(String), cancelled_at: null });
    expect(await endAtWill(platform, uid, letter)).toHaveProperty("rest");
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toContainEqual([1490, "success"]);
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    // They may buy again with their account: nothing has asked for its deletion.
    expect(await subscriptionOf(platform, person)).toEqual(ended);
  });

  it("ended by letter after a gesture leaves a cashback due", async () => {
    const { platform, person, uid, listed, letter } = await renewedTwiceWithCashback();
    const gesture = { amount: null, by: "Solène", reason: "gesture" };
    const own = await platform.database
      .selectFrom("payment")
      .select("uid")
      .where("kind", "=", "renewal")
      .orderBy("created_at", "desc")
      .offset(1)
      .limit(1)
      .executeTakeFirstOrThrow();
    await loseCard(platform, person);
    await passTo(platform, (await subscriptionOf(platform, person)).expires_at);
    await passDays(platform, 9);
    const { database: db, clock } = platform;
    await orderRefund({ db, clock }, { ...gesture, paymentUid: own.uid });
    await platform.runDueJobs();
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    expect(await endAtWill(platform, uid, letter)).toMatchObject({ rest: 1490 });
    await platform.runDueJobs();
    expect((await amountsIn(platform)).map(([amount]) => amount)).toEqual([1490, 1490]);
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
  });

  it.each(["open", "lost"] as const)(
    "ended by letter keeps a cashback beside a later dispute that is %s",
    async (status) => {
      const { platform, uid, listed, letter } = await renewedTwiceWithCashback();
      const { uid: payment_uid, amount } = await renewalIn(platform);
      await endAtWill(platform, uid, letter);
      const times = { created_at: platform.clock.now().toISOString(), closed_at: null };
      const claim = { reference: "dp_1", payment_uid, kind: "dispute" as const, amount, status };
      await platform.database
        .insertInto("payment_claim")
        .values({ ...claim, ...times })
        .execute();
      await platform.runDueJobs();
      expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    },
  );

  it("given back whole leaves an earned cashback due", async () => {
    const { platform, uid, listed } = await renewedWithCashback();
    expect(await endAtWill(platform, uid)).toMatchObject({ rest: 1490 });
    await platform.runDueJobs();
    expect(await amountsIn(platform)).toEqual([[1490, "success"]]);
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
  });

  it("ends by a letter that no stranger's link undoes", async () => {
    const { platform, person } = await renewed();
    await payLater(platform, 60);
    const link = await declareStranger(platform, person);
    await payLater(platform, 1);
    const { uid } = await subscriptionOf(platform, person);
    await endAtWill(platform, uid);
    await platform.runDueJobs();
    const ended = await subscriptionOf(platform, person);
    expect((await undoAsShown(platform, link)).body.payload).toEqual({ status: "ended" });
    expect(await subscriptionOf(platform, person)).toEqual(ended);
    expect(ended.cancelled_at).toMatch(/T23:00:00.001Z$/);
  });

  it("is offered in the mail of a stop", async () => {
    const { platform, person } = await renewed();
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain(UNTOLD);
    expect(text).toMatch(/en supprimant votre compte à la page «\sVos données\s»/);
  });

  it("is offered to the contract's own mailbox alone", async () => {
    const { platform, person } = await renewed();
    const reference = (await subscriptionOf(platform, person)).uid;
    const other = { email: "autre@exemple.fr" };
    const body = { name: "Ada Byron", email: other.email, reference };
    await platform.call("POST /cancellations", { body });
    await passDays(platform, 0.01);
    expect((await newestMail(platform, person.email)).text).toContain("en supprimant votre compte");
    const noted = mailsSentTo(platform, other);
    expect(noted).toHaveLength(1);
    expect(noted[0]?.text).not.toContain("Vos données");
  });

  it("is offered in the mail of a planned stop", async () => {
    const { platform, person } = await renewed();
    const body = { name: "Ada Byron", email: person.email, date: "2027-12-24" };
    await platform.call("POST /cancellations", { token: person.token, body });
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toContain(UNTOLD);
  });

  it("is known of renewals whose receipt had said so", async () => {
    const { platform } = await renewed();
    const { database } = platform;
    await database.schema.alterTable("payment").dropColumn("unannounced").execute();
    const migration: Migration = unannounced;
    await migration.up(database);
    const marked = await sql<{ kind: string; unannounced: number | null }>`
      select kind, unannounced from payment order by created_at`.execute(database);
    expect(marked.rows).toEqual([
      { kind: "first", unannounced: null },
      { kind: "renewal", unannounced: 1 },
    ]);
  });
});

onEachDatabase("an unannounced period whose payment is disputed", (open) => {
  async function renewed() {
    const shop = await openSubscribed(open);
    const { platform } = shop;
    await platform.database
      .updateTable("subscription")
      .set({ period_duration: 1, period_duration_unit: "year" })
      .execute();
    await passDays(platform, 8);
    platform.clock.advance(366 * DAY_MS);
    await platform.runDueJobs();
    return shop;
  }

  async function disputed() {
    const shop = await renewed();
    const { platform, person } = shop;
    const { token } = await back(platform, person);
    const read = async () => (await platform.call("GET /subscriptions", { token })).body.payload;
    expect((await read()).refundOnDeletion).toMatchObject({ amount: 985 });
    const opened = await disputeNewest(shop);
    return { shop, platform, person, token, read, opened };
  }

  async function disputeNewest(shop: Shop) {
    const opened = dispute(shop, newestIntent(shop));
    await tell(shop, "charge.dispute.created", opened);
    await shop.platform.runDueJobs();
    return opened;
  }

  /** Twelve days before a renewal that was announced. */
  async function renewedAgain() {
    const shop = await renewed();
    const { platform, person } = shop;
    const earlier = newestIntent(shop);
    const { uid, expires_at } = await subscriptionOf(platform, person);
    await passTo(platform, expires_at);
    await passDays(platform, 1);
    const { expires_at: renewedUntil } = await subscriptionOf(platform, person);
    expect(renewedUntil > expires_at).toBe(true);
    return { shop, uid, earlier, letter: dayOf(new Date(Date.parse(expires_at) - 12 * DAY_MS)) };
  }

  const REST_OF_TWELVE = Math.ceil((990 * 13) / 365);

  it.each([
    ["lost", []],
    ["won", [{ amount: 990, status: "success" }]],
  ] as const)("gives its rest back beside a later one whose dispute is %s", async (how, later) => {
    const { shop, uid, letter } = await renewedAgain();
    const { platform, person } = shop;
    const opened = await disputeNewest(shop);
    const { ended_at } = await subscriptionOf(platform, person);
    const { out } = await enterEnd(platform, uid, letter);
    expect(out.join()).toMatch(new RegExp(`${REST_OF_TWELVE} cents .* if the money returns`));
    expect(await endAtWill(platform, uid, letter)).toEqual({
      done: `The end of ${uid} is recorded already`,
    });
    await platform.runDueJobs();
    expect((await mailAbout(platform, person.email, "stop")).text).toContain("il ne rouvre pas");
    await passDays(platform, 30);
    opened.status = how;
    await tell(shop, "charge.dispute.closed", opened);
    await passDays(platform, 3);
    expect(await endAtWill(platform, uid, letter)).toHaveProperty("done");
    const given = (await refunds(platform)).filter(({ status }) => status !== "cancelled");
    expect(given).toMatchObject([{ amount: REST_OF_TWELVE, status: "success" }, ...later]);
    const contract = await platform.database
      .selectFrom("subscription")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(contract).toMatchObject({ ended_at, cancelled_at: expect.any(String) });
  });

  it("itself is entered again once its dispute is closed", async () => {
    const { shop, uid, earlier, letter } = await renewedAgain();
    const { platform } = shop;
    const opened = dispute(shop, earlier);
    await tell(shop, "charge.dispute.created", opened);
    await platform.runDueJobs();
    const { out } = await enterEnd(platform, uid, letter);
    expect(out.join()).toMatch(/990 cents .* go back/);
    expect(out.join()).toMatch(/Disputed: .*: enter the end again once the dispute is closed/);
    await platform.runDueJobs();
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await passDays(platform, 1);
    const again = await enterEnd(platform, uid, letter);
    expect(again.out.join()).toContain(`${REST_OF_TWELVE} cents`);
    await platform.runDueJobs();
    expect((await refunds(platform)).map(({ amount }) => amount)).toEqual([990, REST_OF_TWELVE]);
  });

  it("ended by a later one that went back does not go on", async () => {
    const { shop, uid, letter } = await renewedAgain();
    const { platform, person } = shop;
    const given = await giveAllBack(shop, newestIntent(shop));
    await platform.runDueJobs();
    const { ended_at } = await subscriptionOf(platform, person);
    expect(ended_at).not.toBeNull();
    expect(await endAtWill(platform, uid, letter)).toMatchObject({ rest: REST_OF_TWELVE });
    await platform.runDueJobs();
    newestIntent(shop).amount_refunded = 0;
    await bringBack(shop, given);
    await passDays(platform, 2);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at });
    const own = (await refunds(platform)).filter(({ made_by }) => made_by !== "provider");
    expect(own).toMatchObject([
      { amount: REST_OF_TWELVE, status: "success" },
      { amount: 990, status: "success" },
    ]);
  });

  it("is not given back while the bank decides", async () => {
    const { shop, platform, person, token, read } = await disputed();
    expect((await read()).refundOnDeletion).toBeUndefined();
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await platform.runDueJobs();
    expect(await refunds(platform)).toEqual([]);
    expect(shop.stripe.account.all("refund")).toEqual([]);
  });

  it("is given back once the dispute is won after a deletion", async () => {
    const { shop, platform, person, token, opened } = await disputed();
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await passDays(platform, 30);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await tell(shop, "charge.dispute.closed", opened);
    await platform.runDueJobs();
    expect(await refunds(platform)).toMatchObject([{ amount: 985, status: "success" }]);
    const mails = mailsSentTo(platform, person).map(({ text }) => text);
    expect(mails.filter((text) => text.includes("Nous avons rendu la somme"))).toHaveLength(1);
  });

  /** The bank decides a month later, or once the period is over. */
  it.each([30, 400])(
    "ended by letter meanwhile gives its rest back after %i days",
    async (days) => {
      const { shop, platform, person, opened } = await disputed();
      await passDays(platform, 2);
      const { uid, ended_at } = await subscriptionOf(platform, person);
      const [first, second] = [await enterEnd(platform, uid), await endAtWill(platform, uid)];
      expect(first.out.join()).toContain("a bank decides on its payment");
      expect(second).toEqual({ done: `The end of ${uid} is recorded already` });
      await platform.runDueJobs();
      expect((await newestMail(platform, person.email)).text).toContain("et il ne rouvre pas");
      expect(await refunds(platform)).toEqual([]);
      await passDays(platform, days);
      opened.status = "won";
      await tell(shop, "charge.dispute.closed", opened);
      await tell(shop, "charge.dispute.closed", opened);
      await passDays(platform, 2);
      expect(await refunds(platform)).toMatchObject([{ amount: 985, status: "success" }]);
      const contract = await subscriptionOf(platform, person);
      expect(contract).toMatchObject({ ended_at, ended_by_payment: null });
      const open = platform.database.selectFrom("job").where("done_at", "is", null);
      const looks = open.where("kind", "=", "subscription.written-end");
      expect(await looks.select("uid").execute()).toEqual([]);
    },
  );

  it("ended by an earlier letter gives back as of that", async () => {
    const { shop, platform, person, opened } = await disputed();
    const { uid } = await subscriptionOf(platform, person);
    const payment = platform.database.selectFrom("payment").where("unannounced", "=", 1);
    const { covers_from } = await payment.select("covers_from").executeTakeFirstOrThrow();
    await endAtWill(platform, uid, dayOf(new Date(covers_from ?? "")));
    await passDays(platform, 3);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await platform.runDueJobs();
    expect(await refunds(platform)).toMatchObject([{ amount: 990, status: "success" }]);
  });

  it("ended by letter gives its rest back beside another contract", async () => {
    const { shop, platform, person, opened } = await disputed();
    const { uid } = await subscriptionOf(platform, person);
    await passDays(platform, 1);
    await pay(shop);
    await endAtWill(platform, uid);
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "stop");
    expect(text).toMatch(new RegExp(`Contrat concerné\\s: ${uid}`));
    expect(text).toContain("votre autre abonnement n’en est pas changé");
    expect(text).not.toMatch(/profil est ensuite supprimé|plus aucun débit/);
    opened.status = "won";
    await tell(shop, "charge.dispute.closed", opened);
    await tell(shop, "charge.dispute.closed", opened);
    await passDays(platform, 3);
    expect(await refunds(platform)).toMatchObject([{ amount: 985, status: "success" }]);
    expect(shop.lines.filter((line) => line.startsWith("paid twice"))).toEqual([]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
  });

  it("ended by letter is told to nobody once its account is erased", async () => {
    const { platform, person, token } = await disputed();
    const { uid } = await subscriptionOf(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    const { out } = await enterEnd(platform, uid);
    expect(out.join()).toMatch(/a bank decides on its payment.*; nobody is told$/);
  });

  it("ended by letter stays over when an earlier notice is undone", async () => {
    const { platform, person } = await disputed();
    const token = await declareStranger(platform, person);
    const { uid } = await subscriptionOf(platform, person);
    await endAtWill(platform, uid);
    const ended = { status: "ended" };
    const asked = { body: { token } };
    expect((await platform.call("POST /cancellations/undo/preview", asked)).body.payload).toEqual(
      ended,
    );
    expect((await undoAsShown(platform, token)).body.payload).toEqual(ended);
    expect((await undoAsShown(platform, token)).body.payload).toEqual(ended);
    await platform.runDueJobs();
    const undone = await mailAbout(platform, person.email, "undone");
    expect(undone.text).toContain("Votre abonnement était déjà terminé, et il le reste");
    expect(undone.text).not.toContain("rouvert");
  });
});
