import { expect, it, onTestFinished } from "vitest";
import type { DurationUnit } from "../../app/contract/subscriptions";
import { FakeClock } from "../../server/platform/ports/clock";
import { startMailServer } from "../support/mail-server";
import { freePort } from "../support/port";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, newPage, newPerson, paymentLink, payWith, post } from "./funnel";
import {
  addFormula,
  back,
  DAY_MS,
  ledgerOf,
  loseCard,
  mailsTo,
  newestMail,
  openAt,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import { openWithStripe } from "./stripe-funnel";

/** In the receipt of a debit whose renewal notice did not go out in time. */
const UNTOLD = "sans que le rappel prévu par la loi";

onEachDatabase("a renewal's announcement", (open) => {
  const announced = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith("renewal-notice"));

  it.each([
    [
      [3, "month"],
      ["2027-02-15T09", "2027-05-15T08", "2027-08-15T08", "2027-11-15T09"],
    ],
    [
      [90, "day"],
      ["2027-02-15T09", "2027-05-14T08", "2027-08-12T08", "2027-11-10T09"],
    ],
    [[1, "year"], ["2027-11-15T09"]],
  ] as const)("comes two months ahead for periods of %s", async (period, expected) => {
    const platform = await openAt(open, "2027-01-15T09:00:00.000Z");
    const formula = await addFormula(platform, [...period]);
    const { email } = await subscriber(platform, { formula });
    await passTo(platform, "2027-11-20T09:00:00.000Z");
    expect(await announced(platform, email)).toEqual(
      expected.map((hour) => `${hour}:00:00.000Z renewal-notice`),
    );
  });

  it.each([[[1, "month"]], [[2, "month"]], [[12, "week"]]] as const)(
    "is not written for periods of %s",
    async (period) => {
      const platform = await open();
      const formula = await addFormula(platform, [...period]);
      const { email } = await subscriber(platform, { formula });
      await passTo(platform, "2027-06-20T10:00:00.000Z");
      expect(await announced(platform, email)).toEqual([]);
    },
  );

  it("is not written once the renewal is stopped", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "year"]);
    const { email, token } = await subscriber(platform, { formula });
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(platform, "2027-11-19T10:00:00.000Z");
    expect(await announced(platform, email)).toEqual([]);
  });

  it("is not sent when a stop is planned before", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [3, "month"]);
    const { email } = await subscriber(platform, { formula });
    const body = { name: "Ada Byron", email, date: "2027-04-10" };
    await platform.call("POST /cancellations", { body });
    await passTo(platform, "2027-05-20T08:00:00.000Z");
    // Of the debit in February, not of the one in May.
    expect(await announced(platform, email)).toEqual(["2026-12-20T10:00:00.000Z renewal-notice"]);
    expect(await ledgerOf(platform, email)).toHaveLength(2);
  });

  it("states date, amount and how to stop", async () => {
    const platform = await open();
    const formula = await addFormula(platform, [1, "year"]);
    const { email } = await subscriber(platform, { formula });
    await passTo(platform, "2027-09-20T09:00:00.000Z");
    const { text } = await newestMail(platform, email);
    expect(text).toMatch(/20\snov(embre|\.)\s2027/);
    expect(text).toMatch(/25,00/);
    expect(text).toContain("https://cap.example/account/subscription");
  });

  it.each(["standstill", "full mailbox", "none"])(
    "is said in the receipt if it did not go out in time: %s",
    async (cause) => {
      const mailbox = { refuses: false };
      const server = await startMailServer({
        onRcptTo: (_address, _session, done) =>
          done(mailbox.refuses ? Object.assign(new Error("no"), { responseCode: 550 }) : null),
      });
      onTestFinished(() => server.close());
      const platform = await open({ mailUrl: server.url });
      const formula = await addFormula(platform, [3, "month"]);
      await subscriber(platform, { formula });
      await passTo(platform, "2026-12-01T10:00:00.000Z");
      expect(server.mails.at(-1)?.text).not.toContain(UNTOLD);
      mailbox.refuses = cause === "full mailbox";
      if (cause !== "standstill") await passTo(platform, "2027-01-20T10:00:00.000Z");
      mailbox.refuses = false;
      platform.clock.advance(Date.parse("2027-02-21T10:00:00Z") - platform.clock.now().getTime());
      await platform.runDueJobs();
      const receipt = server.mails.find(({ text }) => /payé jusqu.*20\smai\s2027/s.test(text));
      expect(receipt?.text.includes(UNTOLD)).toBe(cause !== "none");
    },
  );
});

onEachDatabase("the end of a long trial", (open) => {
  const announced = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => /renewal-notice|trial-ending/.test(line));

  /** A monthly formula whose trial is longer than its periods. */
  async function trialOf(
    [trial_duration, trial_duration_unit]: [number, DurationUnit],
    options?: Parameters<typeof open>[0],
  ) {
    const platform = await open(options);
    await platform.database
      .updateTable("formula")
      .set({ trial_duration, trial_duration_unit })
      .where("uid", "=", "vip-mensuel")
      .execute();
    return { platform, ...(await subscriber(platform)) };
  }

  it.each<[[number, DurationUnit], string[]]>([
    [
      [6, "month"],
      ["2027-03-20T10:00:00.000Z renewal-notice", "2027-05-13T09:00:00.000Z trial-ending"],
    ],
    [
      [90, "day"],
      ["2026-12-18T10:00:00.000Z renewal-notice", "2027-02-11T10:00:00.000Z trial-ending"],
    ],
    [
      [13, "week"],
      ["2026-12-19T10:00:00.000Z renewal-notice", "2027-02-12T10:00:00.000Z trial-ending"],
    ],
    [[12, "week"], ["2027-02-05T10:00:00.000Z trial-ending"]],
    [[2, "month"], ["2027-01-13T10:00:00.000Z trial-ending"]],
  ])("is announced in the lawful time: %s", async (duration, expected) => {
    const { platform, email } = await trialOf(duration);
    await passTo(platform, "2027-09-01T09:00:00.000Z");
    expect(await announced(platform, email)).toEqual(expected);
  });

  it("counts as announced when only its reminder is missing", async () => {
    const port = await freePort();
    const before = await startMailServer({ port });
    const { platform } = await trialOf([6, "month"], { mailUrl: before.url });
    await passTo(platform, "2027-05-12T10:00:00.000Z");
    await before.close();
    await passTo(platform, "2027-05-21T10:00:00.000Z");
    const after = await startMailServer({ port });
    onTestFinished(() => after.close());
    await passTo(platform, "2027-06-01T10:00:00.000Z");
    const receipt = after.mails.find(({ text }) => /payé jusqu.*27\sjuin\s2027/s.test(text));
    expect(receipt?.text).toMatch(/9,90\s€/);
    expect(receipt?.text).not.toContain(UNTOLD);
  });

  it("is named in its notice, with the last day", async () => {
    const { platform, email } = await trialOf([6, "month"]);
    await passTo(platform, "2027-03-20T10:00:01.000Z");
    const { text } = await newestMail(platform, email);
    expect(text).toContain("Votre essai de Cap Céleste se terminera");
    expect(text).toMatch(/\n-+\nDate limite .*20\smai\s2027.*\n-+\n/);
    expect(text).toContain("article L215-1");
  });

  it("is told once when both mails are late", async () => {
    const { platform, email } = await trialOf([6, "month"]);
    await platform.runDueJobs();
    platform.clock.advance(178 * DAY_MS);
    await passTo(platform, "2027-05-19T09:00:00.000Z");
    expect(await announced(platform, email)).toEqual(["2027-05-17T10:00:00.000Z trial-ending"]);
  });

  it("is announced after a standstill, two months before a later debit", async () => {
    const { platform, email } = await trialOf([6, "month"]);
    await platform.runDueJobs();
    platform.clock.advance(200 * DAY_MS);
    await passTo(platform, "2027-08-09T10:00:00.000Z");
    expect(await announced(platform, email)).toEqual([
      "2027-06-08T10:00:00.000Z renewal-notice",
      "2027-08-01T10:00:00.000Z trial-ending",
    ]);
    expect((await ledgerOf(platform, email)).slice(1)).toEqual([
      "2027-08-08T10:00:00.000Z charge 990 success",
    ]);
  });
});

onEachDatabase("the end of a trial", (open) => {
  const announced = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith("trial-ending"));

  async function trialOf(days: number) {
    const platform = await open();
    const trial = { trial_duration: days, trial_duration_unit: "day" };
    await platform.database
      .updateTable("formula")
      .set(trial)
      .where("uid", "=", "vip-mensuel")
      .execute();
    return { platform, ...(await subscriber(platform)) };
  }

  it.each([
    [2, "2026-11-21T10:00:00.000Z"],
    [5, "2026-11-22T10:00:00.000Z"],
    [7, "2026-11-24T10:00:00.000Z"],
    [8, "2026-11-21T10:00:00.000Z"],
    [14, "2026-11-27T10:00:00.000Z"],
  ])("of %i days is announced in time, once", async (days, moment) => {
    const { platform, email } = await trialOf(days);
    await passTo(platform, "2027-03-01T10:00:00.000Z");
    expect(await announced(platform, email)).toEqual([`${moment} trial-ending`]);
  });

  it("is announced with amount, date and the way out", async () => {
    const { platform, email } = await trialOf(7);
    await passTo(platform, "2026-11-24T10:00:01.000Z");
    const { text } = await newestMail(platform, email);
    expect(text).toMatch(/9,90/);
    expect(text).toMatch(/27\snov\.\s2026/);
    expect(text).toContain("https://cap.example/account/subscription");
  });

  it("is not announced after a stop", async () => {
    const { platform, email, token } = await trialOf(7);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(platform, "2026-11-27T09:00:00.000Z");
    expect(await announced(platform, email)).toEqual([]);
  });

  it("is announced after a standstill, with a later debit", async () => {
    const { platform, email } = await trialOf(7);
    await platform.runDueJobs();
    platform.clock.advance(8 * DAY_MS);
    await platform.runDueJobs();
    await passTo(platform, "2026-12-01T11:00:00.000Z");
    expect(await mailsTo(platform, email)).toEqual([
      ...["welcome", "receipt"].map((kind) => `2026-11-20T10:00:00.000Z ${kind}`),
      "2026-11-28T10:00:00.000Z trial-ending",
      "2026-12-01T10:00:00.000Z receipt",
    ]);
  });

  it("is announced by the sandbox's clock", async () => {
    const platform = await open({ renewalDaySeconds: 60 });
    const { email } = await subscriber(platform);
    await passTo(platform, "2026-11-20T10:10:00.000Z");
    expect(await announced(platform, email)).toEqual(["2026-11-20T10:04:00.000Z trial-ending"]);
  });
});

onEachDatabase("a receipt", (open) => {
  async function receiptOf(platform: TestPlatform, { email }: { email: string }) {
    await platform.runDueJobs();
    await platform.database.deleteFrom("mail").where("key", "not like", "receipt:%").execute();
    return (await newestMail(platform, email)).text.replace(/\s+/g, " ");
  }

  it("names the next debit and how to stop", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const first = await receiptOf(platform, person);
    expect(first).toContain("Prochain prélèvement sur votre carte : 9,90 € le 27 nov. 2026");
    expect(first).toContain("https://cap.example/account/subscription");
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await receiptOf(platform, person)).toContain("9,90 € le 27 déc. 2026");
  });

  it("of a free trial says that nothing was debited", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    const person = await subscriber(platform);
    const text = await receiptOf(platform, person);
    expect(text).toContain("rien n’a été débité pour l’ouvrir");
    expect(text).toContain("Premier débit de votre carte : 9,90 € le 27 nov. 2026");
    expect(text).not.toMatch(/0,00|paiement/);
  });

  it("names what was paid for, and its contract", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    const receipt = await receiptOf(platform, person);
    expect(receipt).toContain("Service : VIP mensuel");
    expect(receipt).toContain(`Référence du contrat : ${body.payload.reference}`);
  });

  it("names no debit that a planned stop prevents", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const body = { name: "Ada Byron", email: person.email, date: "2026-12-10" };
    await platform.call("POST /cancellations", { body });
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    const text = await receiptOf(platform, person);
    expect(text).toContain("9,90 €");
    expect(text).not.toContain("rochain débit");
  });

  it("names no debit that a stop meanwhile prevents", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    const { token } = await back(platform, person);
    const page = await newPage(platform, { ...person, token });
    await post(platform, page, { cardNumber: CARDS.pending });
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(platform, "2026-11-28T10:01:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
    const text = await receiptOf(platform, person);
    expect(text).toContain("9,90 €");
    expect(text).not.toContain("rochain débit");
  });
});

onEachDatabase("a card that expires", (open) => {
  const warned = async (platform: TestPlatform, email: string) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith("card-expiring"));

  /** A card good until the end of January 2027; debits fall on the 27th. */
  async function withOldCard() {
    const platform = await open();
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person), { expiry: "01/27" });
    return { platform, person };
  }

  it("is announced two weeks before the unpayable debit", async () => {
    const { platform, person } = await withOldCard();
    await passTo(platform, "2027-02-20T10:00:00.000Z");
    expect(await warned(platform, person.email)).toEqual([
      "2027-02-13T10:00:00.000Z card-expiring",
    ]);
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("01/2027");
    expect(text).toMatch(/27\sfévr\.\s2027/);
    expect(text).toContain("https://cap.example/login?returnTo=%2Fregistration%2Fpayment");
  });

  it("is announced once while its debits succeed", async () => {
    const { platform, person } = await withOldCard();
    await passTo(platform, "2027-07-20T10:00:00.000Z");
    const debits = await ledgerOf(platform, person.email);
    expect(debits.at(-1)).toContain("2027-06-27");
    expect(await warned(platform, person.email)).toHaveLength(1);
  });

  it("is not announced when a stop is planned before", async () => {
    const { platform, person } = await withOldCard();
    await passTo(platform, "2027-01-20T10:00:00.000Z");
    const body = { name: "Ada Byron", email: person.email, date: "2027-02-20" };
    await platform.call("POST /cancellations", { body });
    await passTo(platform, "2027-02-26T10:00:00.000Z");
    expect(await warned(platform, person.email)).toEqual([]);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: null });
  });

  it("pays no period after a planned stop", async () => {
    const { platform, person } = await withOldCard();
    // A wished day in the paid period stops at once: the day must lie in a later one.
    await passTo(platform, "2027-01-20T10:00:00.000Z");
    const body = { name: "Ada Byron", email: person.email, date: "2027-02-20" };
    await platform.call("POST /cancellations", { body });
    await passTo(platform, "2027-02-14T10:00:00.000Z");
    const again = await back(platform, person);
    const { body: own } = await platform.call("GET /subscriptions", { token: again.token });
    expect(own.payload).toMatchObject({
      cancelledDateTime: null,
      expirationDateTime: "2027-02-27T10:00:00.000Z",
      plannedEndDateTime: "2027-02-27T10:00:00.000Z",
    });
    expect(own.payload).not.toHaveProperty("dueReason");
    expect((await paymentLink(platform, again)).status).toBe(409);
    await loseCard(platform, person);
    const { body: cardless } = await platform.call("GET /subscriptions", { token: again.token });
    expect(cardless.payload).not.toHaveProperty("cardMissing");
    expect((await paymentLink(platform, again)).status).toBe(409);
  });

  it("is replaced by another that pays early", async () => {
    const { platform, person } = await withOldCard();
    await passTo(platform, "2027-02-14T10:00:00.000Z");
    const again = await back(platform, person);
    const { body } = await platform.call("GET /subscriptions", { token: again.token });
    expect(body.payload).toMatchObject({ dueReason: "expiring" });
    expect(await payWith(platform, again, CARDS.success)).toMatchObject({ amount: 990 });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      period_start: "2027-02-27T10:00:00.000Z",
      expires_at: "2027-03-27T10:00:00.000Z",
      card_expiry: "2049-12",
    });
    await passTo(platform, "2027-03-20T10:00:00.000Z");
    expect((await ledgerOf(platform, person.email)).slice(3)).toEqual([
      "2027-01-27T10:00:00.000Z charge 990 success",
      "2027-02-14T10:00:00.000Z charge 990 success",
    ]);
    expect(await warned(platform, person.email)).toHaveLength(1);
  });

  it.each([
    ["where summer time ends before the debit", {}, "2026-09-26T11:00:00.000Z", "10/26"],
    ["by the sandbox's days", { renewalDaySeconds: 60 }, "2026-11-30T22:30:00.000Z", "11/26"],
  ])("can be replaced from its mail on, %s", async (_, options, start, expiry) => {
    const platform = await open({ ...options, clock: new FakeClock(start) });
    const formula = await addFormula(platform, [40, "day"]);
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, { formula }), { expiry });
    const job = await platform.database
      .selectFrom("job")
      .select("run_at")
      .where("kind", "=", "subscription.card-notice")
      .executeTakeFirstOrThrow();
    const dueReason = async () => {
      const { token } = await back(platform, person);
      return (await platform.call("GET /subscriptions", { token })).body.payload.dueReason;
    };
    await passTo(platform, new Date(Date.parse(job.run_at) - 1000).toISOString());
    expect(await dueReason()).toBeUndefined();
    await passTo(platform, job.run_at);
    expect(await warned(platform, person.email)).toHaveLength(1);
    expect(await dueReason()).toBe("expiring");
    const again = await back(platform, person);
    expect(await newPage(platform, again, { formula })).toContain("/pay/");
  });

  it("allows no early payment while it is valid", async () => {
    const { platform, person } = await withOldCard();
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload.dueReason).toBeUndefined();
    const link = { token: person.token, body: { formula: "vip-mensuel" } };
    expect((await platform.call("POST /subscriptions/payment-link", link)).status).toBe(409);
  });

  it("is detected for Stripe's cards too", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person), { expiry: [11, 2026] });
    await platform.call("GET /subscriptions/payment", { token: person.token });
    expect(await subscriptionOf(platform, person)).toMatchObject({ card_expiry: "2026-11" });
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    expect(await warned(platform, person.email)).toEqual([
      "2026-12-13T10:00:00.000Z card-expiring",
    ]);
  });

  it("is announced again once its renewed one expires", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    stripe.pay(await newPage(platform, person), { expiry: [11, 2026] });
    await platform.call("GET /subscriptions/payment", { token: person.token });
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    // Stripe takes over a bank's new card under the reference of the old one.
    for (const thing of stripe.account.all("payment_method")) {
      Object.assign(thing.card, { exp_month: 2, exp_year: 2027 });
    }
    await passTo(platform, "2027-03-20T10:00:00.000Z");
    expect(await warned(platform, person.email)).toEqual([
      "2026-12-13T10:00:00.000Z card-expiring",
      "2027-03-13T10:00:00.000Z card-expiring",
    ]);
  });
});
