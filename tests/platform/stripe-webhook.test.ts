import { expect, it } from "vitest";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { eventOf } from "../support/stripe-stand-in";
import { FAULTS } from "../support/stripe/errors";
import { lastPayment, newPage, rolesOf } from "./funnel";
import { passDays } from "./life";
import { MINUTE, openWithStripe } from "./stripe-funnel";

onEachDatabase("an event of Stripe", (open) => {
  const subscriptions = (platform: TestPlatform) =>
    platform.database.selectFrom("subscription").selectAll().execute();

  const paid = async () => {
    const shop = await openWithStripe(open);
    const page = await newPage(shop.platform, shop.person);
    shop.stripe.pay(page);
    return { ...shop, page };
  };

  it("delivered twice opens one subscription", async () => {
    const { stripe, platform, page } = await paid();
    const event = stripe.told(page);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("delivered eight times at once opens one subscription", async () => {
    const { stripe, platform, page } = await paid();
    const event = stripe.told(page);
    const deliveries = Array.from({ length: 8 }, () => stripe.deliver(platform, event));
    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([200]));
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("delivered days later changes nothing", async () => {
    const { clock, stripe, platform, person, page } = await paid();
    const event = stripe.told(page);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
    clock.advance(3 * 24 * 60 * MINUTE);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("that never arrives is replaced by a query", async () => {
    const { clock, platform, person } = await paid();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("delivered out of order applies the current state", async () => {
    const { stripe, platform, person, page } = await paid();
    const stale = { ...stripe.page(page), status: "expired", payment_status: "unpaid" };
    expect(await stripe.deliver(platform, eventOf("checkout.session.expired", stale))).toBe(200);
    expect(await lastPayment(platform, person)).toMatchObject({ status: "Success" });
  });

  it("of an unknown shape is answered and ignored", async () => {
    const { stripe, platform } = await paid();
    const odd: [Parameters<typeof eventOf>[0], object][] = [
      ["payment_intent.succeeded", { id: "pi_1" }],
      ["checkout.session.completed", { id: { not: "a text" } }],
      ["charge.refunded", {}],
    ];
    for (const [type, object] of odd) {
      expect(await stripe.deliver(platform, eventOf(type, object))).toBe(200);
    }
    const kept = await platform.database.selectFrom("stripe_event").selectAll().execute();
    expect(kept).toEqual([]);
  });

  it("that cannot be stored is answered and logged", async () => {
    const warnings: unknown[] = [];
    const warn = (_: object, message: string) => void warnings.push(message);
    const log = { info() {}, warn, error() {} };
    const { stripe, platform } = await openWithStripe(open, { log });
    const session = eventOf("checkout.session.completed", { id: "cs_\0" });
    const odd: (object | null)[] = [
      null,
      [],
      {},
      session,
      { ...session, data: { object: { id: "cs_1" } }, id: "evt_\0" },
      { ...session, id: null },
      { ...session, id: "e".repeat(300) },
    ];
    for (const event of odd) expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await kept(platform)).toEqual([]);
    expect(warnings.length).toBeGreaterThanOrEqual(odd.length - 2);
  });

  it("delivered before payment grants nothing", async () => {
    const { stripe, platform, person } = await openWithStripe(open);
    const session = stripe.page(await newPage(platform, person));
    const early = eventOf("checkout.session.completed", { ...session, status: "complete" });
    expect(await stripe.deliver(platform, early)).toBe(200);
    expect(await lastPayment(platform, person)).toMatchObject({ awaiting: "payer" });
  });

  it("about other accounts is accepted without effect", async () => {
    const { stripe, platform, page } = await paid();
    const strange = { ...stripe.page(page), id: "cs_elsewhere", metadata: {} };
    expect(await stripe.deliver(platform, eventOf("checkout.session.completed", strange))).toBe(
      200,
    );
    expect(await stripe.deliver(platform, eventOf("customer.created", {}))).toBe(200);
    expect(await subscriptions(platform)).toEqual([]);
  });

  it("with a foreign signature is refused", async () => {
    const { stripe, platform, page } = await paid();
    const event = stripe.told(page);
    expect(await stripe.deliver(platform, event, { secret: "whsec_somebody_else" })).toBe(400);
    const url = `${ORIGIN}/api/stripe/webhook`;
    const unsigned = new Request(url, { method: "POST", body: JSON.stringify(event) });
    expect((await platform.fetch(unsigned)).status).toBe(400);
    const endless = new Request(url, { method: "POST", body: "x".repeat(2 * 1024 * 1024) });
    expect((await platform.fetch(endless)).status).toBe(413);
    expect(await kept(platform)).toEqual([]);
    expect(await subscriptions(platform)).toEqual([]);
  });

  it.each(["", "t=1,v1=", "t=1,v1=00", "t=9999999999,v1", "v1=,v1=", "é".repeat(32)])(
    "with the malformed signature %j is refused",
    async (signature) => {
      const { stripe, platform, page } = await paid();
      const answer = await platform.fetch(
        new Request(`${ORIGIN}/api/stripe/webhook`, {
          method: "POST",
          headers: { "stripe-signature": Buffer.from(signature).toString("latin1") },
          body: JSON.stringify(stripe.told(page)),
        }),
      );
      expect(answer.status).toBe(400);
      expect(await kept(platform)).toEqual([]);
    },
  );

  it("refused for a day is an error in the log", async () => {
    const lines: string[] = [];
    const keep = (level: string) => (_: object, message: string) => {
      lines.push(`${level} ${message.split(",")[0]}`);
    };
    const log = { info() {}, warn: keep("warn"), error: keep("error") };
    const { clock, stripe, platform, person } = await openWithStripe(open, { log });
    const page = await newPage(platform, person);
    stripe.pay(page);
    const refuse = async () => {
      const event = stripe.told(page);
      expect(await stripe.deliver(platform, event, { secret: "whsec_old" })).toBe(400);
      return lines.splice(0);
    };
    expect(await refuse()).toEqual(["error webhook refused"]);
    expect(await stripe.deliver(platform, stripe.told(page))).toBe(200);
    expect(await refuse()).toEqual(["warn webhook refused"]);
    clock.advance(24 * 60 * MINUTE);
    expect(await refuse()).toEqual(["error webhook refused"]);
  });

  it("refused ever again is logged once an hour", async () => {
    const lines: object[] = [];
    const keep = (level: string) => (fields: object) => void lines.push({ level, ...fields });
    const log = { info() {}, warn: keep("warn"), error: keep("error") };
    const { clock, platform, stripe } = await openWithStripe(open, { log });
    const post = (body: string) =>
      platform.fetch(new Request(`${ORIGIN}/api/stripe/webhook`, { method: "POST", body }));
    const refuse = async (times: number) => {
      for (let n = 0; n < times; n++) expect((await post("{}")).status).toBe(400);
      return lines.splice(0);
    };
    const reason = "The signature does not fit";
    expect(await refuse(5)).toEqual([{ level: "error", reason, refused: 1 }]);
    clock.advance(60 * MINUTE);
    expect(await refuse(5)).toEqual([{ level: "error", reason, refused: 5 }]);
    const accepted = eventOf("checkout.session.expired", { id: "cs_1" });
    expect(await stripe.deliver(platform, accepted, { isWorkedOn: false })).toBe(200);
    expect(await refuse(5)).toEqual([{ level: "warn", reason, refused: 5 }]);
    expect(await refuse(5)).toEqual([]);
  });

  it("with an old signature is refused", async () => {
    const { clock, stripe, platform, page } = await paid();
    const sentAt = new Date(clock.now().getTime() - 6 * MINUTE);
    expect(await stripe.deliver(platform, stripe.told(page), { sentAt })).toBe(400);
    expect(await subscriptions(platform)).toEqual([]);
  });

  const kept = (platform: TestPlatform) =>
    platform.database.selectFrom("stripe_event").selectAll().execute();

  it("is requested again while the database fails", async () => {
    const { stripe, platform, person, page } = await paid();
    const event = stripe.told(page);
    const later = { isWorkedOn: false };
    await platform.database.schema.alterTable("job").renameTo("away").execute();
    expect(await stripe.deliver(platform, event, later)).toBe(500);
    await platform.database.schema.alterTable("away").renameTo("job").execute();
    expect(await kept(platform)).toEqual([]);
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await rolesOf(platform, person)).toEqual({ vip: true });
  });

  it("is answered once stored and processed by a job", async () => {
    const { stripe, platform, page } = await paid();
    const later = { isWorkedOn: false };
    expect(await stripe.deliver(platform, stripe.told(page), later)).toBe(200);
    expect(await subscriptions(platform)).toEqual([]);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it("is processed once Stripe is reachable", async () => {
    const { clock, stripe, platform, page } = await paid();
    const event = stripe.told(page);
    stripe.breakDown("Down");
    expect(await stripe.deliver(platform, event)).toBe(200);
    expect(await subscriptions(platform)).toEqual([]);
    stripe.recover();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(await subscriptions(platform)).toHaveLength(1);
  });

  it.each([401, 403] as const)("waits in long steps while Stripe answers %i", async (status) => {
    const errors: string[] = [];
    const warn = (_: object, message: string) => void errors.push(message);
    const { stripe, platform, person } = await openWithStripe(open, {
      log: { info() {}, warn, error: warn },
    });
    const page = await newPage(platform, person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    const [method] = stripe.account.all("payment_method");
    if (!method) throw new Error("No card is kept");
    const event = eventOf("payment_method.detached", method);
    const data = { ...event.data, previous_attributes: { customer: method.customer } };
    method.customer = null;
    const line = `GET /v1/payment_methods/${method.id}`;
    stripe.answerWith((sent) => (sent.line === line ? FAULTS[status] : null));
    for (const sent of [event, { ...event, id: "evt_again" }]) {
      await stripe.deliver(platform, { ...sent, data });
    }
    await passDays(platform, 2.9);
    const asked = stripe.received.filter((sent) => sent.line === line);
    expect(asked).toHaveLength(2 * 12);
    expect(errors.filter((message) => message.startsWith("events wait"))).toHaveLength(3);
    expect(errors.join()).not.toContain("job failed");
    stripe.answerWith(() => null);
    await passDays(platform, 0.25);
    expect(await subscriptions(platform)).toMatchObject([{ card_reference: null }]);
  });

  /** The card of a subscriber is removed at Stripe, and its event told while the key may not read cards. */
  async function cardRemoved(errors: string[] = []) {
    const error = (fields: object, message: string) =>
      void errors.push(`${message} ${JSON.stringify(fields)}`);
    const shop = await openWithStripe(open, { log: { info() {}, warn() {}, error } });
    const { stripe, platform } = shop;
    const page = await newPage(platform, shop.person);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    const [method] = stripe.account.all("payment_method");
    if (!method) throw new Error("No card is kept");
    const event = eventOf("payment_method.detached", method);
    const data = { ...event.data, previous_attributes: { customer: method.customer } };
    method.customer = null;
    const refused = /^GET \/v1\/(payment_methods|payment_intents)\/./;
    stripe.answerWith(({ line }) => (refused.test(line) ? FAULTS[403] : null));
    await stripe.deliver(platform, { ...event, data });
    return shop;
  }

  it("of each type is logged while the key lacks a right", async () => {
    const errors: string[] = [];
    const { stripe, platform } = await cardRemoved(errors);
    const { id } = stripe.account.all("payment_intent")[0] ?? {};
    const disputed = { id: "dp_1", object: "dispute", payment_intent: id };
    await stripe.deliver(platform, eventOf("charge.dispute.created", disputed));
    const waiting = errors.filter((line) => line.startsWith("events wait"));
    expect(waiting).toEqual([
      expect.stringContaining("payment_method.detached"),
      expect.stringContaining("charge.dispute.created"),
    ]);
  });

  it.each(["at the start", "once Stripe answers"])(
    "is processed when the key is found good %s",
    async (when) => {
      const { stripe, platform } = await cardRemoved();
      stripe.answerWith(() => null);
      if (when === "once Stripe answers") stripe.breakDown("Down", 503);
      const again = await platform.reopen();
      stripe.recover();
      again.clock.advance(MINUTE);
      await again.runDueJobs();
      await again.runDueJobs();
      expect(await subscriptions(again)).toMatchObject([{ card_reference: null }]);
    },
  );

  it("stored by another version waits for its handler", async () => {
    const errors: string[] = [];
    const error = ({ err }: { err?: Error }) => void errors.push(err?.message ?? "");
    const { clock, stripe, platform } = await openWithStripe(open, {
      log: { info() {}, warn: error, error },
    });
    const event = eventOf("checkout.session.completed", { id: "cs_1" });
    await stripe.deliver(platform, event, { isWorkedOn: false });
    await platform.database.updateTable("stripe_event").set({ type: "review.opened" }).execute();
    clock.advance(MINUTE);
    await platform.runDueJobs();
    expect(errors).toEqual(["No handler for events review.opened"]);
    expect(stripe.received.filter(({ line }) => line.endsWith("/cs_1"))).toEqual([]);
    await platform.database.updateTable("stripe_event").set({ type: event.type }).execute();
    await passDays(platform, 1);
    expect(stripe.received.map(({ line }) => line)).toContain("GET /v1/checkout/sessions/cs_1");
  });

  it("is stored as ids only, for a month", async () => {
    const { clock, stripe, platform, page } = await paid();
    const { id } = stripe.page(page);
    const event = stripe.told(page);
    await stripe.deliver(platform, event);
    await stripe.deliver(platform, event);
    const received_at = clock.now().toISOString();
    expect(await kept(platform)).toEqual([
      { id: event.id, type: "checkout.session.completed", subject: id, received_at },
    ]);
    clock.advance(32 * 24 * 60 * MINUTE);
    await platform.runDueJobs();
    expect(await kept(platform)).toEqual([]);
  });
});
