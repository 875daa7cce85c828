import { expect, it } from "vitest";
import { onEachDatabase } from "../support/platform";
import {
  CARDS,
  CASHBACK,
  lastPayment,
  newPage,
  payWith,
  paymentLink,
  post,
  rolesOf,
  type Person,
} from "./funnel";
import {
  back,
  forgetCard,
  ledgerOf,
  loseCard,
  mailAbout,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
  standStillReminded,
} from "./life";

const DUE = "2026-11-27T10:00:00.000Z";
const day = (later: number) =>
  `2026-${later < 4 ? `11-${27 + later}` : `12-0${later - 3}`}T10:00:00.000Z`;

onEachDatabase("a declined renewal", (open) => {
  /** Somebody whose renewal was just declined, by a card that never pays again. */
  async function inGrace() {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, DUE);
    return { platform, person };
  }

  it("is retried on the next day", async () => {
    const platform = await open();
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await passDays(platform, 20);
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      `${day(0)} charge 990 declined`,
      `${day(1)} charge 990 success`,
    ]);
    expect(await mailsTo(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z welcome",
      "2026-11-20T10:00:00.000Z receipt",
      "2026-11-24T10:00:00.000Z trial-ending",
      `${day(0)} declined`,
      `${day(1)} receipt`,
    ]);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      period_start: DUE,
      expires_at: "2026-12-27T10:00:00.000Z",
      renewal_attempts: 0,
      ended_at: null,
    });
  });

  it("by a card of no use is not tried again", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await forgetCard(platform, person);
    await passDays(platform, 20);
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      `${day(0)} charge 990 declined`,
    ]);
    const told = await mailsTo(platform, person.email);
    expect(told.filter((line) => line.includes(" declined"))).toEqual([
      `${day(0)} declined`,
      `${day(5)} declined-last`,
    ]);
    const { text } = await mailAbout(platform, person.email, "declined");
    expect(text).toContain("ne peut plus l’utiliser");
    expect(text).toContain("Nous ne présenterons plus ce prélèvement");
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: day(7) });
  });

  it.each([5, 6, 8, 10])(
    "late after a standstill is paid from the due day, on day %d",
    async (on) => {
      const platform = await open();
      const person = await subscriber(platform);
      await loseCard(platform, person);
      await standStillReminded(platform, 12);
      await platform.runDueJobs();
      expect(await rolesOf(platform, person)).toEqual({ vip: true });
      await passDays(platform, on - 5);
      const paid = await payWith(platform, await back(platform, person), CARDS.success);
      expect(paid).toMatchObject({ amount: 990 });
      expect(await subscriptionOf(platform, person)).toMatchObject({
        period_start: DUE,
        expires_at: "2026-12-27T10:00:00.000Z",
      });
    },
  );

  it("is tried on days one, three and five", async () => {
    const { platform, person } = await inGrace();
    const next = async () => {
      const { body } = await platform.call("GET /subscriptions", { token: person.token });
      return body.payload.nextTryDateTime;
    };
    expect(await next()).toBe(day(1));
    for (const [passed, following] of [
      [1, day(3)],
      [3, day(5)],
      [5, undefined],
    ] as const) {
      await passTo(platform, day(passed));
      expect(await next()).toBe(following);
    }
    await passDays(platform, 60);
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      ...[0, 1, 3, 5].map((later) => `${day(later)} charge 990 declined`),
    ]);
    expect((await mailsTo(platform, person.email)).slice(3)).toEqual([
      ...[0, 1, 3, 5].map((later) => `${day(later)} declined`),
      `${day(7)} ended`,
    ]);
  });

  it("keeps access for seven days, then ends it", async () => {
    const { platform, person } = await inGrace();
    const { body } = await platform.call("GET /subscriptions", { token: person.token });
    expect(body.payload).toMatchObject({ graceDateTime: day(7), endedDateTime: null });
    await passTo(platform, "2026-12-04T09:59:59.999Z");
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
    await passTo(platform, day(7));
    expect(await rolesOf(platform, await back(platform, person))).toEqual({});
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: day(7) });
  });

  it("that ends unpaid keeps the profile for a new subscription", async () => {
    const { platform, person } = await inGrace();
    await passDays(platform, 30);
    const again = await back(platform, person);
    expect(await payWith(platform, again, CARDS.success)).toMatchObject({ amount: 990 });
    expect(await rolesOf(platform, again)).toEqual({ vip: true });
  });

  it("is paid by another card, which is charged next", async () => {
    const { platform, person } = await inGrace();
    await passDays(platform, 2);
    const paid = await payWith(platform, person, CARDS.success);
    expect(paid).toMatchObject({ status: "Success", amount: 990 });
    const { card_reference, ...renewed } = await subscriptionOf(platform, person);
    expect(card_reference).not.toBe("lost");
    expect(renewed).toMatchObject({ period_start: DUE, expires_at: "2026-12-27T10:00:00.000Z" });
    await passTo(platform, "2026-12-28T10:00:00.000Z");
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      `${day(0)} charge 990 declined`,
      `${day(1)} charge 990 declined`,
      `${day(2)} charge 990 success`,
      "2026-12-27T10:00:00.000Z charge 990 success",
    ]);
    const subscriptions = await platform.database.selectFrom("subscription").selectAll().execute();
    expect(subscriptions).toHaveLength(1);
    expect(await mailsTo(platform, person.email)).toContain(`${day(2)} receipt`);
  });

  it("waits for an open page with another card", async () => {
    const { platform, person } = await inGrace();
    await passTo(platform, "2026-11-28T09:30:00.000Z");
    const page = await newPage(platform, person);
    await passTo(platform, "2026-11-28T10:10:00.000Z");
    await post(platform, page);
    await passDays(platform, 8);
    expect(await ledgerOf(platform, person.email)).toEqual([
      "2026-11-20T10:00:00.000Z charge 100 success",
      `${day(0)} charge 990 declined`,
      "2026-11-28T10:10:00.000Z charge 990 success",
    ]);
  });

  it("is retried when that page is left", async () => {
    const { platform, person } = await inGrace();
    await passTo(platform, "2026-11-28T09:30:00.000Z");
    await newPage(platform, person);
    await passTo(platform, "2026-11-28T12:00:00.000Z");
    const declined = (await ledgerOf(platform, person.email)).slice(2);
    expect(declined).toEqual(["2026-11-28T11:00:00.000Z charge 990 declined"]);
  });

  it("does not count another declined card", async () => {
    const { platform, person } = await inGrace();
    expect(await payWith(platform, person, CARDS.declined)).toMatchObject({ status: "Failure" });
    expect(await subscriptionOf(platform, person)).toMatchObject({ renewal_attempts: 1 });
    expect(await lastPayment(platform, person)).toMatchObject({ error: { code: "declined" } });
  });

  it("blocks other orders, and payments before it", async () => {
    const { platform, person } = await inGrace();
    expect((await paymentLink(platform, person, CASHBACK)).status).toBe(409);
    const paying: Person = await subscriber(platform);
    expect((await paymentLink(platform, paying)).status).toBe(409);
  });

  it("is mailed with date, amount and payment page", async () => {
    const { platform, person } = await inGrace();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/9,90/);
    expect(text).toMatch(/28\snov\.\s2026/);
    expect(text).toMatch(/4\sdéc\.\s2026/);
    expect(text).toContain("https://cap.example/login?returnTo=%2Fregistration%2Fpayment");
  });

  it("counts its days from the first attempt after downtime", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await standStillReminded(platform, 17);
    await platform.runDueJobs();
    expect(await subscriptionOf(platform, person)).toMatchObject({
      renewal_attempts: 1,
      grace_until: "2026-12-14T10:00:00.000Z",
      ended_at: null,
    });
    await passDays(platform, 7);
    expect(await ledgerOf(platform, person.email)).toHaveLength(5);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: "2026-12-14T10:00:00.000Z",
    });
  });
});
