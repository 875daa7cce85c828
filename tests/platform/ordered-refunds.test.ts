import { afterEach, expect, it, vi } from "vitest";
import { main as payments } from "../../server/cli/payments";
import type { PlatformOptions } from "../../server/platform";
import { formatMoment } from "../../server/platform/mail/format";
import { orderRefund } from "../../server/platform/subscriptions/ordered-refunds";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runAt } from "./command";
import { CARDS, CASHBACK, newPerson, payWith, post, newPage, rolesOf, type Person } from "./funnel";
import {
  back,
  DAY_MS,
  ledgerOf,
  mailAbout,
  mailsTo,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";
import {
  bringBack,
  dispute,
  giveBack,
  isVip,
  openSubscribed,
  tell,
  tellRefund,
  type Shop,
} from "./reversals";

afterEach(() => vi.unstubAllEnvs());

const order = (platform: TestPlatform, uid: string, ...argv: string[]) =>
  runAt(platform, payments, ["refund", uid, "--by", "Zoé", ...argv]);

onEachDatabase("a refund that an operator orders", (open) => {
  /** Somebody in a whole period that they paid with 9.90 €. */
  async function paidUp(options: Partial<PlatformOptions> = {}) {
    const platform = await open(options);
    const person = await subscriber(platform);
    await passDays(platform, 7.1);
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .where("account_uid", "=", person.uid)
      .where("kind", "=", "renewal")
      .executeTakeFirstOrThrow();
    return { platform, person, uid };
  }

  const refundsOf = (platform: TestPlatform, uid: string) =>
    platform.database
      .selectFrom("refund")
      .selectAll()
      .where("payment_uid", "=", uid)
      .orderBy("uid")
      .execute();

  const givenBack = async (platform: TestPlatform, { email }: Person) =>
    (await ledgerOf(platform, email)).filter((line) => line.includes(" refund "));

  const amountsOf = async (platform: TestPlatform, person: Person) =>
    (await givenBack(platform, person)).map((line) => Number(line.split(" ")[2]));

  const hasAccess = async (platform: TestPlatform, person: Person) =>
    (await rolesOf(platform, await back(platform, person))).vip === true;

  const causes = async (platform: TestPlatform, { email }: Person) =>
    (await mailsTo(platform, email)).map((line) => line.split(" ")[1]);

  it("gives the whole payment back once and ends access", async () => {
    const { platform, person, uid } = await paidUp();
    const first = await order(platform, uid, "--reason", "Appel du 27 novembre");
    expect(first).toMatchObject({ code: 0, error: [] });
    expect(first.out[0]).toMatch(/^The refund of 990 cents .* by Zoé; with it the whole payment/);
    const again = await order(platform, uid, "--reason", "Appel du 27 novembre");
    expect(again).toMatchObject({ code: 1, out: [] });
    expect(again.error[0]).toMatch(/^Ordered before: 990 cents .* by Zoé, now "pending"/);
    const other = await order(platform, uid, "--reason", "Encore");
    expect(other.error[0]).toMatch(/^Nothing is left /);
    await platform.runDueJobs();
    expect(await refundsOf(platform, uid)).toMatchObject([
      { amount: 990, status: "success", made_by: "operator", ordered_by: "Zoé" },
    ]);
    expect(await givenBack(platform, person)).toHaveLength(1);
    expect(await hasAccess(platform, person)).toBe(false);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_by_payment: uid });
    expect(await causes(platform, person)).toEqual(expect.arrayContaining(["refund", "ended"]));
    expect((await order(platform, uid, "--reason", "Encore")).error[0]).toMatch(
      /^Nothing is left /,
    );
  });

  it("is followed by a mail that says how the contract may go on, as its page does", async () => {
    const { platform, person, uid } = await paidUp();
    await order(platform, uid, "--reason", "Panne");
    await platform.runDueJobs();
    const { text } = await mailAbout(platform, person.email, "ended");
    expect(text).toMatch(/Si cette somme nous revient avant le \d{1,2}[^,]*, l’accès est rouvert/);
    expect(text).not.toContain("nous ne demanderons plus aucun débit");
  });

  it("is mailed with the payment and the contract that it is of", async () => {
    const { platform, person, uid } = await paidUp();
    await order(platform, uid, "--amount", "300", "--reason", "Geste");
    await platform.runDueJobs();
    const { uid: contract } = await subscriptionOf(platform, person);
    const { text } = await mailAbout(platform, person.email, "refund");
    expect(text).toMatch(/Montant remboursé\s: 3,00\s€/);
    expect(text).toMatch(/Date du paiement\s: \d/);
    expect(text).toMatch(new RegExp(`Contrat concerné\\s: ${contract}, commandé le `));
  });

  it("leaves access when it is a part", async () => {
    const { platform, person, uid } = await paidUp();
    const part = await order(platform, uid, "--amount", "300", "--reason", "Geste");
    expect(part.out[0]).toContain("access that it paid for stays");
    await platform.runDueJobs();
    expect(await hasAccess(platform, person)).toBe(true);
    expect((await order(platform, uid, "--amount", "200", "--reason", "Geste")).code).toBe(1);
    expect((await order(platform, uid, "--amount", "691", "--reason", "Reste")).error).toEqual([
      `Only 690 cents are left of ${uid}`,
    ]);
    await order(platform, uid, "--amount", "690", "--reason", "Reste");
    await platform.runDueJobs();
    expect((await amountsOf(platform, person)).sort()).toEqual([300, 690]);
    expect(await hasAccess(platform, person)).toBe(false);
  });

  it("is one of two that are ordered at the same time", async () => {
    const { platform, person, uid } = await paidUp();
    const { database: db, clock } = platform;
    const ordered = await Promise.all(
      ["un", "deux", "trois"].map((reason) =>
        orderRefund({ db, clock }, { paymentUid: uid, amount: null, by: "Zoé", reason }),
      ),
    );
    expect(ordered.filter((one) => "amount" in one)).toHaveLength(1);
    await platform.runDueJobs();
    expect(await givenBack(platform, person)).toHaveLength(1);
  });

  it("and the refund of a withdrawal give back what was paid", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    await order(platform, uid, "--amount", "30", "--reason", "Geste");
    const { email, token } = person;
    await platform.call("POST /withdrawals", { token, body: { name: "Ada Byron", email } });
    expect(await refundsOf(platform, uid)).toHaveLength(2);
    await passDays(platform, 1);
    const amounts = await amountsOf(platform, person);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(100);
    expect((await refundsOf(platform, uid)).map(({ status }) => status)).not.toContain("pending");
    expect((await order(platform, uid, "--reason", "Encore")).code).toBe(1);
  });

  it("is made although its account is deleted meanwhile", async () => {
    const { platform, person, uid } = await paidUp();
    await order(platform, uid, "--amount", "300", "--reason", "Geste");
    const { token } = await back(platform, person);
    const left = await platform.call(`DELETE /users/${person.uid}`, { token });
    expect(left.status).toBe(202);
    await platform.runDueJobs();
    expect(await refundsOf(platform, uid)).toMatchObject([{ amount: 300, status: "success" }]);
    const late = await order(platform, uid, "--amount", "100", "--reason", "Plus tard");
    expect(late.code).toBe(0);
    await platform.runDueJobs();
    expect((await refundsOf(platform, uid)).map(({ status }) => status)).toEqual([
      "success",
      "success",
    ]);
  });

  it("is tried again, and returns the access when it is given up", async () => {
    const errors: string[] = [];
    const log = { info() {}, warn() {}, error: (_: object, line: string) => errors.push(line) };
    const sandbox = { refuseRefunds: true };
    const { platform, person, uid } = await paidUp({ sandbox, log });
    await order(platform, uid, "--reason", "Geste");
    await passDays(platform, 4);
    expect(await refundsOf(platform, uid)).toMatchObject([{ status: "pending" }]);
    expect(await hasAccess(platform, person)).toBe(false);
    await passDays(platform, 2);
    expect(await refundsOf(platform, uid)).toMatchObject([{ status: "failure" }]);
    expect(errors).toEqual(["refund given up: give it back by hand, at the provider"]);
    expect(await hasAccess(platform, person)).toBe(true);
    expect((await order(platform, uid, "--reason", "Geste")).error[0]).toContain('now "failure"');
    sandbox.refuseRefunds = false;
    expect((await order(platform, uid, "--reason", "Geste, bis")).code).toBe(0);
    await platform.runDueJobs();
    expect(await givenBack(platform, person)).toHaveLength(1);
    expect(await hasAccess(platform, person)).toBe(false);
  });

  it("given up is told as failed, with the next debit", async () => {
    const { platform, person, uid } = await paidUp({ sandbox: { refuseRefunds: true } });
    await order(platform, uid, "--reason", "Geste");
    await passDays(platform, 6);
    const { text } = await mailAbout(platform, person.email, "returned");
    expect(text).toContain("n’a pas abouti");
    expect(text).not.toContain("nous est revenu");
    const { expires_at } = await subscriptionOf(platform, person);
    expect(text).toContain(formatMoment(expires_at));
    expect(text).toMatch(/Prochain prélèvement sur votre carte\s: 9,90\s€ le \d/);
  });

  it("given up promises no debit to who has stopped", async () => {
    const { platform, person, uid } = await paidUp({ sandbox: { refuseRefunds: true } });
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await order(platform, uid, "--reason", "Geste");
    await passDays(platform, 6);
    const { text } = await mailAbout(platform, person.email, "returned");
    expect(text).toContain("Rien ne sera plus débité");
    expect(text).not.toContain("Prochain prélèvement");
  });

  it("leaves the credit owed when it is given up", async () => {
    const sandbox = { refuseRefunds: true };
    const platform = await open({ sandbox });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    await passDays(platform, 15);
    const { database: db } = platform;
    const readCredit = () => db.selectFrom("credit").selectAll().executeTakeFirstOrThrow();
    const { due_at } = await readCredit();
    const due = Date.parse(due_at ?? "");
    await passTo(platform, new Date(due - 2 * DAY_MS).toISOString());
    const { uid } = await db
      .selectFrom("payment")
      .select("uid")
      .where("kind", "=", "renewal")
      .orderBy("created_at", "desc")
      .executeTakeFirstOrThrow();
    await order(platform, uid, "--reason", "Geste");
    await passTo(platform, new Date(due + DAY_MS).toISOString());
    expect(await readCredit()).toMatchObject({ status: "void", void_reason: "refunded" });
    await passDays(platform, 4);
    expect(await refundsOf(platform, uid)).toMatchObject([{ status: "failure" }]);
    expect(await readCredit()).toMatchObject({ status: "due", void_reason: null, due_at });
    expect(await causes(platform, person)).toContain("credit-due");
  });

  it("stays with its payment in the list", async () => {
    const { platform, uid } = await paidUp();
    await order(platform, uid, "--amount", "300", "--reason", "Geste");
    await platform.runDueJobs();
    const { out } = await runAt(platform, payments, ["list", "--reversed"]);
    expect(out.map((line) => JSON.parse(line))).toMatchObject([
      {
        payment: uid,
        receipt: expect.stringMatching(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/),
        refunded: 300,
        orders: [
          {
            at: platform.clock.now().toISOString(),
            by: "Zoé",
            reason: "Geste",
            amount: 300,
            status: "success",
          },
        ],
      },
    ]);
  });

  it("is told to its person with the reason in their data", async () => {
    const { platform, person, uid } = await paidUp();
    await order(platform, uid, "--amount", "300", "--reason", "Geste");
    const { token } = await back(platform, person);
    const { body } = await platform.call(`GET /users/${person.uid}/export`, { token });
    expect(body.payload.refunds).toMatchObject([{ amount: 300, reason: "Geste" }]);
    expect(JSON.stringify(body)).not.toContain("Zoé");
  });

  it("names the user of the system unless told otherwise", async () => {
    const { platform, uid } = await paidUp();
    await runAt(platform, payments, ["refund", uid, "--amount", "1", "--reason", "Essai"]);
    const [made] = await refundsOf(platform, uid);
    expect(made?.ordered_by).toMatch(/\S/);
    expect(made?.ordered_by).not.toBe("Zoé");
  });

  it.each([
    ["an unknown payment", ["refund", "nope", "--reason", "x"], /^There is no payment nope$/],
    ["no payment", ["refund", "--reason", "x"], /^Expected: /],
    ["no reason", ["refund", "nope"], /^Expected: /],
    ["an empty reason", ["refund", "nope", "--reason", " "], /^--reason: give 1 to 200/],
    ["euros", ["refund", "nope", "--reason", "x", "--amount", "9.90"], /^Not an amount in cents/],
    ["nothing", ["refund", "nope", "--reason", "x", "--amount", "0"], /^Not an amount in cents/],
    ["a name of nothing", ["refund", "nope", "--reason", "x", "--by", ""], /^--by: give 1 to 100/],
    ["another option", ["refund", "nope", "--reason", "x", "--days", "3"], /^Expected: /],
    ["a reason for a list", ["list", "--reason", "x"], /^Expected: /],
  ])("is refused for %s in one line", async (_, argv, line) => {
    const { code, out, error } = await runAt(await open(), payments, argv);
    expect([code, out, error]).toEqual([1, [], [expect.stringMatching(line)]]);
  });

  it.each([
    [CARDS.declined, "failure"],
    [CARDS.pending, "pending"],
  ])("is refused for a payment with card %s", async (card, status) => {
    const platform = await open();
    await payWith(platform, await newPerson(platform), card);
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    expect((await order(platform, uid, "--reason", "x")).error).toEqual([
      `Not paid: ${uid} is "${status}"`,
    ]);
    expect(await refundsOf(platform, uid)).toEqual([]);
  });

  it("is refused where a free trial left nothing to give back", async () => {
    const platform = await open();
    await platform.database.updateTable("formula").set({ trial_amount: 0 }).execute();
    await post(platform, await newPage(platform, await newPerson(platform)));
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    expect((await order(platform, uid, "--reason", "x")).error).toEqual([
      `Nothing was paid with ${uid}`,
    ]);
  });
});

onEachDatabase("a refund that an operator orders at Stripe", (open) => {
  async function shopOf() {
    const shop = await openSubscribed(open);
    const { uid } = await shop.platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    const orderHere = (...argv: string[]) => order(shop.platform, uid, ...argv);
    const rows = () => shop.platform.database.selectFrom("refund").selectAll().execute();
    return { shop, uid, order: orderHere, rows };
  }

  const refunded = ({ stripe }: Shop) =>
    stripe.account.all("refund").map(({ amount, status }) => [amount, status]);

  it("is recorded once, also when Stripe tells it", async () => {
    const { shop, order, rows } = await shopOf();
    await order("--amount", "40", "--reason", "Geste");
    await shop.platform.runDueJobs();
    await tellRefund(shop, shop.first);
    await shop.platform.runDueJobs();
    expect(await rows()).toMatchObject([{ amount: 40, status: "success", made_by: "operator" }]);
    expect(refunded(shop)).toEqual([[40, "succeeded"]]);
    expect(await isVip(shop.platform, shop.person)).toBe(true);
    await order("--reason", "Reste");
    await shop.platform.runDueJobs();
    expect(
      refunded(shop)
        .map(([amount]) => amount)
        .sort(),
    ).toEqual([40, 60]);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
  });

  it("waits for nothing that a dispute holds", async () => {
    const { shop, uid, order, rows } = await shopOf();
    const claim = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", claim);
    expect((await order("--reason", "x")).error[0]).toMatch(/^Disputed: /);
    claim.status = "lost";
    await tell(shop, "charge.dispute.closed", claim);
    expect((await order("--reason", "x")).error[0]).toMatch(/^Nothing is left /);
    claim.status = "won";
    await tell(shop, "charge.dispute.closed", claim);
    expect((await order("--amount", "40", "--reason", "x")).code).toBe(0);
    expect(await rows()).toMatchObject([{ payment_uid: uid, amount: 40 }]);
  });

  it("gives nothing back that the bank takes first", async () => {
    const { shop, order, rows } = await shopOf();
    await order("--reason", "x");
    const claim = dispute(shop, shop.first);
    await shop.platform.runDueJobs();
    expect(refunded(shop)).toEqual([]);
    claim.status = "lost";
    await tell(shop, "charge.dispute.closed", claim);
    await passDays(shop.platform, 1);
    expect(await rows()).toMatchObject([{ status: "cancelled" }]);
    expect(refunded(shop)).toEqual([]);
  });

  it("asks for a part with one key as long as Stripe may have made it", async () => {
    const { shop, order, rows } = await shopOf();
    const keys = () => {
      const asked = shop.stripe.received.filter(({ line }) => line === "POST /v1/refunds");
      return new Set(asked.map(({ idempotencyKey }) => idempotencyKey)).size;
    };
    await order("--amount", "40", "--reason", "x");
    shop.stripe.breakDown("Down", 500, "POST /v1/refunds");
    await passDays(shop.platform, 0.5);
    expect(keys()).toBe(1);
    shop.stripe.recover();
    await passDays(shop.platform, 2);
    expect(refunded(shop)).toEqual([[40, "succeeded"]]);
    expect(await rows()).toMatchObject([{ amount: 40, status: "success", attempt: 1 }]);
  });

  it("gives back only what was not given back by hand", async () => {
    const { shop, order, rows } = await shopOf();
    await order("--amount", "80", "--reason", "x");
    // In the dashboard, and not told yet.
    giveBack(shop, shop.first, 60);
    await shop.platform.runDueJobs();
    expect(await rows()).toMatchObject([{ amount: 40, status: "success" }]);
  });

  it("is made again when the bank sends it back", async () => {
    const { shop, order, rows } = await shopOf();
    await order("--reason", "x");
    await shop.platform.runDueJobs();
    const [given] = shop.stripe.account.all("refund");
    if (!given) throw new Error("Nothing was given back");
    shop.first.amount_refunded = 0;
    await bringBack(shop, given);
    await passDays(shop.platform, 1);
    expect(refunded(shop).filter(([, status]) => status === "succeeded")).toEqual([
      [100, "succeeded"],
    ]);
    expect(await rows()).toMatchObject([{ status: "success", attempt: 2 }]);
  });

  it("left to one by hand is made when that comes back", async () => {
    const { shop, order, rows } = await shopOf();
    // In the dashboard, and not told yet.
    const given = giveBack(shop, shop.first);
    await order("--reason", "x");
    await shop.platform.runDueJobs();
    await tellRefund(shop, shop.first);
    expect(await rows()).toMatchObject([
      { made_by: "operator", status: "cancelled" },
      { made_by: "provider", status: "success" },
    ]);
    shop.first.amount_refunded = 0;
    await bringBack(shop, given);
    await passDays(shop.platform, 1);
    expect(refunded(shop)).toEqual([
      [100, "succeeded"],
      [100, "failed"],
    ]);
    expect(await isVip(shop.platform, shop.person)).toBe(false);
  });

  it("beside one by hand that comes back is an error in the log", async () => {
    const { shop, order } = await shopOf();
    const given = giveBack(shop, shop.first, 60);
    await order("--reason", "x");
    await shop.platform.runDueJobs();
    await tellRefund(shop, shop.first);
    shop.first.amount_refunded -= 60;
    await bringBack(shop, given);
    await passDays(shop.platform, 1);
    expect(shop.lines.filter((line) => line.startsWith("refund by hand came back"))).toEqual([
      expect.stringContaining('"amount":60'),
    ]);
    expect(refunded(shop)).toEqual([
      [40, "succeeded"],
      [60, "failed"],
    ]);
  });
});
