import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { CARDS, payWith, paymentLink, post, newPage, rolesOf, signIn, type Person } from "./funnel";
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
  undoAsShown,
} from "./life";
import { openSubscribed } from "./reversals";

const DUE = "2026-11-27T10:00:00.000Z";
const END_OF_ACCESS = /Fin de l’accès.*4\sdéc\.\s2026/;
const GRACE_END = "2026-12-04T10:00:00.000Z";

onEachDatabase("a notice on an unpaid contract", (open) => {
  /** Somebody in grace, on the fourth day after the debit: two tries are over, one is left. */
  async function unpaid() {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    return { platform, person };
  }

  /** By a stranger, unless a token tells who it is; gives the secret of the mailed link. */
  async function cancel(platform: TestPlatform, { email }: Person, token?: string) {
    const body = { name: "Zoé Kowalska", email };
    const { status } = await platform.call("POST /cancellations", {
      ...(token && { token }),
      body,
    });
    expect(status).toBe(202);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, email);
    return /cancel-contract\/undo\?token=(\S+)/.exec(text)?.[1] ?? "";
  }

  async function undo(platform: TestPlatform, token: string): Promise<string> {
    return (await undoAsShown(platform, token)).body.payload.status;
  }

  const isVip = async (platform: TestPlatform, person: Person) =>
    (await rolesOf(platform, await back(platform, person))).vip === true;

  const declines = async (platform: TestPlatform, { email }: Person) =>
    (await ledgerOf(platform, email)).filter((line) => line.endsWith("declined"));

  it("for a day before the next retry has no retry announced, and takes none away", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    const cancelled = { name: "Ada Byron", email: person.email, date: "2026-11-29" };
    await platform.call("POST /cancellations", { body: cancelled });
    await platform.runDueJobs();
    const receipt = (await newestMail(platform, person.email)).text;
    const told = async () => {
      const { token } = await back(platform, person);
      const { body } = await platform.call("GET /subscriptions", { token });
      const { text } = await mailAbout(platform, person.email, "declined");
      return { next: body.payload.nextTryDateTime, text };
    };
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    const first = await told();
    expect(first.next).toBe("2026-11-28T10:00:00.000Z");
    expect(first.text).toContain("Prochaine présentation");
    await passTo(platform, "2026-11-28T12:00:00.000Z");
    const second = await told();
    expect(second.next).toBeUndefined();
    expect(second.text).not.toMatch(/Prochaine présentation|nous présenterons/);
    expect(second.text).toMatch(/résiliation prévue pour le 29\snov\.\s2026/);
    const secret = /cancel-contract\/undo\?token=(\S+)/.exec(receipt)?.[1] ?? "";
    expect(await undo(platform, secret)).toBe("undone");
    expect((await told()).next).toBe("2026-11-30T10:00:00.000Z");
    await passTo(platform, "2026-12-01T10:00:00.000Z");
    expect(await declines(platform, person)).toHaveLength(3);
  });

  it("for a later day promises no renewal as before", async () => {
    const { platform, person } = await unpaid();
    const receiptOf = async (email: string) => {
      const body = { name: "Ada Byron", email, date: "2026-12-30" };
      await platform.call("POST /cancellations", { body });
      await platform.runDueJobs();
      return (await newestMail(platform, email)).text;
    };
    const unpaidOnes = await receiptOf(person.email);
    expect(unpaidOnes).toMatch(/ou\savant\ssi\sune\spériode\sn’est\spas\spayée/);
    expect(unpaidOnes).not.toMatch(/se\srenouvelle\scomme\savant/);
    const paid = await subscriber(platform);
    expect(await receiptOf(paid.email)).toMatch(/se\srenouvelle\scomme\savant/);
  });

  it("after a stop names the end of the grace", async () => {
    const { platform, person } = await unpaid();
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await cancel(platform, person);
    expect((await newestMail(platform, person.email)).text).toMatch(END_OF_ACCESS);
    const again = {
      identifier: person.email,
      formula: "vip-mensuel",
      password: "une-autre-orbite",
    };
    await platform.call("POST /registrations/register", { body: again });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/Accès ouvert jusqu’au.*4\sdéc\.\s2026/);
  });

  it("after a withdrawal names the end of the grace", async () => {
    const { platform, person } = await unpaid();
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    await cancel(platform, person);
    expect((await newestMail(platform, person.email)).text).toMatch(END_OF_ACCESS);
  });

  it.each(["a stranger", "the owner"])("of %s leaves access until the grace ends", async (who) => {
    const { platform, person } = await unpaid();
    const { token } = await back(platform, person);
    await cancel(platform, person, who === "the owner" ? token : undefined);
    const { body } = await platform.call("GET /subscriptions", { token });
    expect(body.payload).toMatchObject({ graceDateTime: GRACE_END, endedDateTime: null });
    expect((await newestMail(platform, person.email)).text).toMatch(/4\sdéc\.\s2026/);
    await passTo(platform, "2026-12-04T09:59:59.999Z");
    expect(await isVip(platform, person)).toBe(true);
    await passTo(platform, GRACE_END);
    expect(await isVip(platform, person)).toBe(false);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: GRACE_END });
    expect(await declines(platform, person)).toHaveLength(3);
    expect((await mailsTo(platform, person.email)).at(-1)).toBe(`${GRACE_END} ended`);
    expect((await newestMail(platform, person.email)).text).toMatch(
      /profil est gardé tant que la résiliation peut être annulée/,
    );
    await passDays(platform, 9);
    expect((await signIn(platform, person.email)).status).toBe(401);
  });

  it("gains no day and no retry by being undone", async () => {
    const { platform, person } = await unpaid();
    const before = await subscriptionOf(platform, person);
    for (let time = 0; time < 3; time++) {
      expect(await undo(platform, await cancel(platform, person))).toBe("undone");
      expect(await subscriptionOf(platform, person)).toEqual(before);
      platform.clock.advance(60_000);
    }
    await passDays(platform, 30);
    expect(await declines(platform, person)).toEqual(
      ["11-27", "11-28", "11-30", "12-02"].map(
        (day) => `2026-${day}T10:00:00.000Z charge 990 declined`,
      ),
    );
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: GRACE_END });
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("undone leaves a card of no use untried", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await forgetCard(platform, person);
    await passTo(platform, DUE);
    const secret = await cancel(platform, person);
    expect(await undo(platform, secret)).toBe("undone");
    await passDays(platform, 10);
    expect(await declines(platform, person)).toHaveLength(1);
  });

  it("undone after a missed retry continues with the next", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    const secret = await cancel(platform, person);
    await passTo(platform, "2026-11-29T12:00:00.000Z");
    expect(await undo(platform, secret)).toBe("undone");
    await passDays(platform, 30);
    expect(await declines(platform, person)).toEqual(
      ["11-27", "11-30", "12-02"].map((day) => `2026-${day}T10:00:00.000Z charge 990 declined`),
    );
  });

  it("undone without a card leaves the payment page open", async () => {
    const { platform, person } = await unpaid();
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    const secret = await cancel(platform, person);
    for (let time = 0; time < 2; time++) {
      expect((await undoAsShown(platform, secret)).body.payload).toEqual({
        status: "undone",
        payUntilDateTime: GRACE_END,
      });
    }
    const again = await back(platform, person);
    expect(await payWith(platform, again, CARDS.success)).toMatchObject({ status: "Success" });
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      period_start: DUE,
      expires_at: "2026-12-27T10:00:00.000Z",
    });
  });

  it("undone after the grace allows a new subscription", async () => {
    const { platform, person } = await unpaid();
    const secret = await cancel(platform, person);
    await passTo(platform, "2026-12-05T12:00:00.000Z");
    expect((await paymentLink(platform, await back(platform, person))).status).toBe(409);
    for (let time = 0; time < 2; time++) expect(await undo(platform, secret)).toBe("ended");
    expect(await isVip(platform, person)).toBe(false);
    const again = await back(platform, person);
    expect(await payWith(platform, again, CARDS.success)).toMatchObject({ amount: 990 });
    await passDays(platform, 5);
    expect(await isVip(platform, person)).toBe(true);
    expect(await declines(platform, person)).toHaveLength(3);
  });

  it("undone after the grace is answered by one mail", async () => {
    const { platform, person } = await unpaid();
    const secret = await cancel(platform, person);
    await passTo(platform, "2026-12-05T12:00:00.000Z");
    for (let time = 0; time < 2; time++) await undo(platform, secret);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toMatch(/déjà terminé, et il le reste\. Nous ne demanderons plus aucun débit/);
    const answers = (await mailsTo(platform, person.email)).filter((m) => m.endsWith(" undone"));
    expect(answers).toHaveLength(1);
  });

  it("undone after the grace ends it before its job", async () => {
    const { platform, person } = await unpaid();
    const secret = await cancel(platform, person);
    platform.clock.advance(4 * 24 * 3_600_000);
    expect(await undo(platform, secret)).toBe("ended");
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: GRACE_END,
      cancelled_at: null,
    });
    await passDays(platform, 3);
    const ends = (await mailsTo(platform, person.email)).filter((line) => line.endsWith("ended"));
    expect(ends).toHaveLength(1);
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("undone without a card allows a new subscription", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passDays(platform, 5);
    const secret = await cancel(platform, person);
    await platform.database.updateTable("subscription").set({ card_reference: null }).execute();
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect(await undo(platform, secret)).toBe("ended");
    await passDays(platform, 10);
    const again = await back(platform, person);
    expect((await paymentLink(platform, again)).status).toBe(201);
  });

  it("prevents a late debit while an answer is awaited", async () => {
    const shop = await openSubscribed(open);
    const { stripe, platform, person } = shop;
    stripe.breakDown("Down", 500);
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    const secret = await cancel(platform, person);
    stripe.recover();
    await passDays(platform, 2);
    expect(stripe.account.all("payment_intent")).toHaveLength(1);
    expect(await undo(platform, secret)).toBe("undone");
    await platform.runDueJobs();
    expect(stripe.account.all("payment_intent")).toHaveLength(2);
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  it("undone many times causes no more charge attempts", async () => {
    const { stripe, platform, person } = await openSubscribed(open);
    stripe.breakDown("Down", 500);
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    for (let time = 0; time < 3; time++) {
      expect(await undo(platform, await cancel(platform, person))).toBe("undone");
      platform.clock.advance(60_000);
    }
    const waiting = platform.database.selectFrom("job").select("uid").where("done_at", "is", null);
    expect(await waiting.where("kind", "=", "subscription.renew").execute()).toHaveLength(1);
  });

  it("before its first try ends with its grace untried", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    platform.clock.advance(9 * 24 * 3_600_000);
    const { token } = await back(platform, person);
    const stopped = await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    expect(stopped.body.payload).toEqual({ status: "in process", endsAt: GRACE_END });
    await passTo(platform, GRACE_END);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: GRACE_END });
    expect(await ledgerOf(platform, person.email)).toHaveLength(1);
  });

  it("keeps the grace when the bank refuses late", async () => {
    const shop = await openSubscribed(open, { card: { refusal: "slow" } });
    const { stripe, platform, person } = shop;
    await passTo(platform, "2026-11-27T12:00:00.000Z");
    const secret = await cancel(platform, person);
    const [charge] = stripe.account.all("payment_intent");
    Object.assign(charge ?? {}, {
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined", decline_code: "insufficient_funds" },
    });
    await passTo(platform, "2026-11-29T12:00:00.000Z");
    expect(await isVip(platform, person)).toBe(true);
    expect((await mailsTo(platform, person.email)).join()).not.toMatch(/declined|ended/);
    expect(await undo(platform, secret)).toBe("undone");
    stripe.account.refusals.clear();
    await passTo(platform, "2026-11-30T10:00:00.000Z");
    expect(await subscriptionOf(platform, person)).toMatchObject({ period_start: DUE });
  });

  it("after a standstill gains no time when undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    platform.clock.advance(12 * 24 * 3_600_000);
    const { token } = await back(platform, person);
    await platform.call("POST /cancellations", {
      token,
      body: { name: "Ada Byron", email: person.email },
    });
    expect(await subscriptionOf(platform, person)).toMatchObject({ grace_until: GRACE_END });
    const { text } = await platform.database
      .selectFrom("mail")
      .select("text")
      .where("key", "like", "notice:%")
      .executeTakeFirstOrThrow();
    expect(await undo(platform, /undo\?token=(\S+)/.exec(text)?.[1] ?? "")).toBe("undone");
    // The first try is made only now: the whole grace follows it.
    await passTo(platform, GRACE_END);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      grace_until: "2026-12-09T10:00:00.000Z",
    });
  });

  it("leaves an open page with another card payable", async () => {
    const { platform, person } = await unpaid();
    const page = await newPage(platform, await back(platform, person));
    await cancel(platform, person);
    await post(platform, page);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      ended_at: null,
      grace_until: null,
      expires_at: "2026-12-27T10:00:00.000Z",
    });
    await passTo(platform, "2026-12-27T10:00:00.000Z");
    expect(await isVip(platform, person)).toBe(false);
  });
});
