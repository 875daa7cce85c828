import { afterEach, expect, it, vi } from "vitest";
import { calendarOf } from "../../app/contract/periods";
import { main as formulas } from "../../server/cli/formulas";
import { main as payments } from "../../server/cli/payments";
import { FakeClock } from "../../server/platform/ports/clock";
import { newUid } from "../../server/platform/ports/ids";
import { markCreditPaid } from "../../server/platform/subscriptions/credit-payment";
import { CREDIT_DUE } from "../../server/platform/subscriptions/credits";
import { onEachDatabase, ORIGIN, type OpenPlatform, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { CASHBACK, newPage, newPerson, post, type Person } from "./funnel";
import { back, mailAbout, mailsTo, newestMail, passTo, subscriptionOf, undoAsShown } from "./life";
import { dispute, giveBack, newestIntent, tell, tellRefund, type Shop } from "./reversals";
import { openWithStripe } from "./stripe-funnel";

afterEach(() => vi.unstubAllEnvs());

const FULL_DEBIT = "2026-12-04T10:00:00.000Z";
const DUE = "2027-01-03T10:00:00.000Z";

/** The fourteenth day after the order ends, in Paris. */
const WITHDRAWAL_END = "2026-12-04T23:00:00.000Z";
const AT_ONCE = ["--credit-after", "order", "--credit-delay", "1"];

async function openHere(open: OpenPlatform): Promise<TestPlatform> {
  const platform = await open();
  vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
  vi.stubEnv("DATA_DIR", platform.place.dataDir);
  return platform;
}

/** Somebody who has just ordered the partner's formula. */
async function buyer(platform: TestPlatform, card = {}): Promise<Person> {
  const person = await newPerson(platform);
  await post(platform, await newPage(platform, person, CASHBACK), card);
  return person;
}

async function creditOf(platform: TestPlatform, person: Person) {
  const { token } = await back(platform, person);
  const { body } = await platform.call("GET /subscriptions", { token });
  return body.payload.credit;
}

const letters = async (platform: TestPlatform, { email }: Person) =>
  (await mailsTo(platform, email)).filter((line) => line.includes("credit-"));

const withdraw = (platform: TestPlatform, { token, email }: Person) =>
  platform.call("POST /withdrawals", { token, body: { name: "Ada Byron", email } });

onEachDatabase("the credit of a contract", (open) => {
  it("falls due after the first whole period's debit", async () => {
    const platform = await open();
    const person = await buyer(platform);
    expect(await creditOf(platform, person)).toMatchObject({ amount: 2000, status: "awaited" });
    expect(await creditOf(platform, person)).not.toHaveProperty("dueDateTime");
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const awaited = { status: "awaited", dueDateTime: DUE };
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await passTo(platform, "2027-01-03T09:59:00.000Z");
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await passTo(platform, "2027-02-20T10:00:00.000Z");
    expect(await creditOf(platform, person)).toMatchObject({ status: "due", dueDateTime: DUE });
    expect(await letters(platform, person)).toEqual([`${DUE} credit-due`]);
  });

  it("falls due although a withdrawal came too late", async () => {
    const platform = await open();
    const person = await buyer(platform);
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    const body = { name: "Ada Byron", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await passTo(platform, DUE);
    await platform.runDueJobs();
    expect(await letters(platform, person)).toEqual([`${DUE} credit-due`]);
  });

  it("keeps the conditions of its order", async () => {
    const platform = await openHere(open);
    const person = await buyer(platform);
    const { body } = await platform.call("GET /formulas/vip-cashback");
    const change = ["--credit", "5.00", "--credit-delay", "60", "--credit-debtor", "Autre"];
    expect((await runCommand(formulas, ["change", "vip-cashback", ...change])).code).toBe(0);
    await passTo(platform, DUE);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({
      ...body.payload.creditTerms,
      amount: 2000,
      status: "due",
    });
  });

  it("is counted from the order where the formula says so", async () => {
    const platform = await openHere(open);
    await runCommand(formulas, ["change", "vip-cashback", "--credit-after", "order"]);
    const person = await buyer(platform);
    const dueDateTime = "2026-12-20T10:00:00.000Z";
    expect(await creditOf(platform, person)).toMatchObject({ status: "awaited", dueDateTime });
    await passTo(platform, dueDateTime);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "due", dueDateTime });
  });

  it("is never due within the right of withdrawal", async () => {
    const platform = await openHere(open);
    const { out } = await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    expect(out).toContainEqual(expect.stringContaining("right of withdrawal"));
    const person = await buyer(platform);
    const awaited = { status: "awaited", dueDateTime: WITHDRAWAL_END };
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await passTo(platform, "2026-12-04T22:59:00.000Z");
    await withdraw(platform, await back(platform, person));
    await passTo(platform, DUE);
    expect(await letters(platform, person)).toEqual([]);
  });

  it.each([
    ["Christmas", "2026-12-11T10:00:00.000Z", "2026-12-28T23:00:00.000Z"],
    // From midnight to midnight, it is the longest that the calendar has.
    ["Ascension and 8 May", "2043-04-22T22:00:00.000Z", "2043-05-11T22:00:00.000Z"],
  ])("waits as long as %s prolong the right of withdrawal", async (_, orderedAt, dueDateTime) => {
    const platform = await openHere((options) =>
      open({ ...options, clock: new FakeClock(orderedAt) }),
    );
    await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    const person = await buyer(platform, { expiry: "12/45" });
    const awaited = { status: "awaited", dueDateTime };
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await passTo(platform, new Date(Date.parse(dueDateTime) - 1).toISOString());
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await passTo(platform, dueDateTime);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "due" });
  });

  it("falls due when the right of withdrawal has ended", async () => {
    const platform = await openHere(open);
    await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    const person = await buyer(platform);
    await passTo(platform, WITHDRAWAL_END);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "due" });
  });

  it("of an earlier release waits for the right of withdrawal too", async () => {
    const platform = await openHere(open);
    await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    const person = await buyer(platform);
    const { uid } = await subscriptionOf(platform, person);
    const early = "2026-11-21T10:00:00.000Z";
    await platform.database.updateTable("credit").set({ due_at: early }).execute();
    await platform.database
      .updateTable("job")
      .set({ run_at: early })
      .where("kind", "=", CREDIT_DUE)
      .execute();
    await passTo(platform, "2026-11-22T10:00:00.000Z");
    const awaited = { status: "awaited", dueDateTime: WITHDRAWAL_END };
    expect(await creditOf(platform, person)).toMatchObject(awaited);
    await platform.database.updateTable("credit").set({ status: "due", due_at: early }).execute();
    const { database: db, clock } = platform;
    const paid = await markCreditPaid({ db, clock, calendar: calendarOf(undefined) }, uid, null);
    expect(paid).toEqual({
      refusal: expect.stringContaining(`withdrawn from until ${WITHDRAWAL_END}`),
    });
  });

  it("is offered and confirmed with what it waits for", async () => {
    const platform = await openHere(open);
    const words = "1 jour après la commande, mais pas avant la fin du délai de rétractation";
    await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    const person = await buyer(platform);
    await platform.runDueJobs();
    expect((await welcomeOf(platform, person)).text.replace(/\s+/g, " ")).toContain(words);
    const { conditions } = await platform.database
      .selectFrom("contract_proof")
      .select("conditions")
      .executeTakeFirstOrThrow();
    expect(conditions).toContain(words);
  });

  it.each(["undone", "unanswered"])("waits while a withdrawal is open: %s", async (answer) => {
    const platform = await openHere(open);
    await runCommand(formulas, ["change", "vip-cashback", ...AT_ONCE]);
    const person = await buyer(platform);
    await passTo(platform, "2026-12-04T22:00:00.000Z");
    const body = { name: "Une Inconnue", email: person.email };
    await platform.call("POST /withdrawals", { body });
    await platform.runDueJobs();
    const token = /\?token=(\S+)/.exec((await newestMail(platform, person.email)).text)?.[1] ?? "";
    await passTo(platform, "2026-12-06T10:00:00.000Z");
    expect(await creditOf(platform, person)).toMatchObject({ status: "awaited" });
    expect(await letters(platform, person)).toEqual([]);
    if (answer === "undone") await undoAsShown(platform, token, "withdrawals");
    await passTo(platform, "2026-12-20T10:00:00.000Z");
    const credit = platform.database.selectFrom("credit").select(["status", "void_reason"]);
    expect(await credit.executeTakeFirst()).toEqual(
      answer === "undone"
        ? { status: "due", void_reason: null }
        : { status: "void", void_reason: "withdrawn" },
    );
  });

  it("is not owed after a withdrawal", async () => {
    const platform = await open();
    const person = await buyer(platform);
    await withdraw(platform, person);
    expect(await creditOf(platform, person)).toMatchObject({
      status: "void",
      reason: "withdrawn",
    });
    await passTo(platform, "2026-11-21T09:00:00.000Z");
    expect(await letters(platform, person)).toEqual([]);
  });

  it("is not owed when the contract ends within its trial", async () => {
    const platform = await open();
    const person = await buyer(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "void", reason: "ended" });
  });

  it("is awaited again when a stranger's stop is undone", async () => {
    const platform = await open();
    const person = await buyer(platform);
    const body = { name: "Une Inconnue", email: person.email };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    const preview = await platform.call("POST /cancellations/undo/preview", { body: { token } });
    expect(preview.body.payload).toMatchObject({ status: "undone", creditAmount: 2000 });
    await undoAsShown(platform, token);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toMatch(
      /cashback de 20,00\s€ est de nouveau prévu/,
    );
    expect(await creditOf(platform, person)).toMatchObject({ status: "awaited" });
  });

  it("is not promised again by undoing a stop for a later day", async () => {
    const platform = await open();
    const person = await buyer(platform);
    const body = { name: "Une Inconnue", email: person.email, date: "2027-03-01" };
    await platform.call("POST /cancellations", { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    const preview = await platform.call("POST /cancellations/undo/preview", { body: { token } });
    expect(preview.body.payload.status).toBe("undone");
    expect(preview.body.payload).not.toHaveProperty("creditAmount");
    await undoAsShown(platform, token);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).not.toContain("cashback");
    expect(await creditOf(platform, person)).toMatchObject({ lapse: "if-stopped" });
  });

  it("stays owed after a stop following the whole period", async () => {
    const platform = await openHere(open);
    const person = await buyer(platform);
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passTo(platform, "2027-03-01T10:00:00.000Z");
    const { out } = await runCommand(payments, ["credits", "--state", "due"]);
    const { email } = person;
    expect(out.map((line) => JSON.parse(line))).toMatchObject([
      { email, amount: 2000, dueDateTime: DUE, trafficToken: CASHBACK.trafficToken },
    ]);
  });

  it("is told to who left, at the address of the archive", async () => {
    const platform = await openHere(open);
    const later = ["--credit-after", "order", "--credit-delay", "60"];
    await runCommand(formulas, ["change", "vip-cashback", ...later]);
    const person = await buyer(platform);
    const { uid } = await subscriptionOf(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2027-01-20T10:00:00.000Z");
    expect(await letters(platform, person)).toEqual(["2027-01-19T10:00:00.000Z credit-due"]);
    const due = await newestMail(platform, person.email);
    expect(due.text).toContain("Votre profil est supprimé");
    expect(due.text).toContain(`${ORIGIN}/contact\n`);
    expect(due.text).toContain(uid);
    await runCommand(payments, ["credits", "pay", uid]);
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toContain("est noté comme payé");
  });

  it("is told to nobody once the archive is purged", async () => {
    const platform = await openHere(open);
    const person = await buyer(platform);
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const { uid } = await subscriptionOf(platform, person);
    const { token } = await back(platform, person);
    await platform.call(`DELETE /users/${person.uid}`, { token });
    await platform.database.deleteFrom("contract_proof").execute();
    await passTo(platform, DUE);
    await platform.runDueJobs();
    expect(await letters(platform, person)).toEqual([]);
    const { out } = await runCommand(payments, ["credits"]);
    expect(JSON.parse(out[0] ?? "")).toMatchObject({ email: null, status: "due" });
    expect((await runCommand(payments, ["credits", "pay", uid])).out).toEqual([
      expect.stringContaining("nobody is told"),
    ]);
  });

  it("is named in the welcome mail with its conditions", async () => {
    const platform = await open();
    const person = await buyer(platform);
    const { body } = await platform.call("GET /formulas/vip-cashback");
    const { debtor, way, conditions } = body.payload.creditTerms;
    await platform.runDueJobs();
    const { text } = await welcomeOf(platform, person);
    const words = text.replace(/\s+/g, " ");
    for (const term of [debtor, way, conditions, "30 jours après le premier débit", "20,00 €"]) {
      expect(words).toContain(term);
    }
  });

  it("is in the person's export", async () => {
    const platform = await open();
    const person = await buyer(platform);
    const { uid, token } = person;
    const { body } = await platform.call(`GET /users/${uid}/export`, { token });
    const { uid: contract } = await subscriptionOf(platform, person);
    expect(body.payload.credits).toMatchObject([{ contract, amount: 2000, status: "awaited" }]);
  });
});

/** The only mail before the receipt. */
async function welcomeOf(platform: TestPlatform, { email }: Person) {
  await platform.database.deleteFrom("mail").where("key", "like", "receipt:%").execute();
  return newestMail(platform, email);
}

onEachDatabase("a credit whose money went back", (open) => {
  /** Somebody who paid the partner's formula at Stripe, in the first whole period. */
  async function paidInFull(): Promise<Shop> {
    const shop = await openWithStripe(open);
    const { platform, person, stripe } = shop;
    const page = await newPage(platform, person, CASHBACK);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const newest = newestIntent(shop);
    return { ...shop, first: newest, newest, lines: [], notes: [] };
  }

  it("is not owed after a refund in full", async () => {
    const shop = await paidInFull();
    giveBack(shop, shop.newest);
    await tellRefund(shop, shop.newest);
    await passTo(shop.platform, DUE);
    await shop.platform.runDueJobs();
    expect(await creditOf(shop.platform, shop.person)).toMatchObject({
      status: "void",
      reason: "refunded",
    });
    expect(await letters(shop.platform, shop.person)).toEqual([]);
  });

  it("is not owed once the trial's payment went back", async () => {
    const shop = await openWithStripe(open);
    const { platform, person, stripe } = shop;
    const page = await newPage(platform, person, CASHBACK);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    const newest = newestIntent(shop);
    const known = { ...shop, first: newest, newest, lines: [], notes: [] };
    giveBack(known, newest);
    await tellRefund(known, newest);
    expect(await creditOf(platform, person)).toMatchObject({
      status: "void",
      reason: "refunded",
    });
  });

  it("waits for the bank while the payment is disputed", async () => {
    const shop = await paidInFull();
    const opened = dispute(shop, shop.newest);
    await tell(shop, "charge.dispute.created", opened);
    await passTo(shop.platform, "2027-01-10T10:00:00.000Z");
    const held = { status: "awaited", isHeld: true };
    expect(await creditOf(shop.platform, shop.person)).toMatchObject(held);
    opened.status = "lost";
    await tell(shop, "charge.dispute.closed", opened);
    await passTo(shop.platform, "2027-01-12T10:00:00.000Z");
    expect(await creditOf(shop.platform, shop.person)).toMatchObject({
      status: "void",
      reason: "disputed",
    });
  });
});

onEachDatabase("a credit that is due and not paid yet", (open) => {
  async function dueCredit() {
    const shop = await openWithStripe(open);
    const { platform, person, stripe } = shop;
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const page = await newPage(platform, person, CASHBACK);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    await passTo(platform, DUE);
    await platform.runDueJobs();
    const newest = newestIntent(shop);
    const known: Shop = { ...shop, first: newest, newest, lines: [], notes: [] };
    const listed = async () => {
      const { out } = await runCommand(payments, ["credits"]);
      return out.map((line) => JSON.parse(line));
    };
    return { known, newest, listed };
  }

  it("waits for the bank, is void once lost, and due again", async () => {
    const { known, newest, listed } = await dueCredit();
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    const opened = dispute(known, newest);
    await tell(known, "charge.dispute.created", opened);
    expect(await listed()).toMatchObject([{ status: "due", obstacle: "undecided" }]);
    opened.status = "lost";
    await tell(known, "charge.dispute.closed", opened);
    expect(await listed()).toMatchObject([{ status: "void", reason: "disputed", obstacle: null }]);
    await passTo(known.platform, "2027-01-05T10:00:00.000Z");
    opened.status = "won";
    await tell(known, "charge.dispute.closed", opened);
    await known.platform.runDueJobs();
    expect(await listed()).toMatchObject([{ status: "due", obstacle: null }]);
    expect(await letters(known.platform, known.person)).toEqual([
      `${DUE} credit-due`,
      `${DUE} credit-void`,
      "2027-01-05T10:00:00.000Z credit-due",
    ]);
    const { text } = await mailAbout(known.platform, known.person.email, "credit-void");
    expect(text).toContain("Votre banque a repris un paiement de votre abonnement");
  });

  it("is not owed after a refund in full", async () => {
    const { known, newest } = await dueCredit();
    giveBack(known, newest);
    await tellRefund(known, newest);
    expect(await creditOf(known.platform, known.person)).toMatchObject({
      status: "void",
      reason: "refunded",
    });
    await known.platform.runDueJobs();
    const { text } = await mailAbout(known.platform, known.person.email, "credit-void");
    expect(text).toContain("Un paiement de votre abonnement vous est rendu en entier");
  });
});

onEachDatabase("a credit that was paid", (open) => {
  it("is to be claimed back after a lost dispute, told once", async () => {
    const [warnings, warn]: [object[], (fields: object) => void] = [
      [],
      (fields) => warnings.push(fields),
    ];
    const shop = await openWithStripe(open, { log: { info() {}, warn, error() {} } });
    const { platform, person, stripe } = shop;
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const page = await newPage(platform, person, CASHBACK);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    await passTo(platform, DUE);
    await platform.runDueJobs();
    const newest = newestIntent(shop);
    const known = { ...shop, first: newest, newest, lines: [], notes: [] };
    const { uid: contract } = await subscriptionOf(platform, person);
    const { database: db, clock } = platform;
    await markCreditPaid({ db, clock, calendar: calendarOf(undefined) }, contract, null);
    const opened = dispute(known, newest);
    await tell(known, "charge.dispute.created", opened);
    const listed = async () => {
      const { out } = await runCommand(payments, ["credits"]);
      return out.map((line) => JSON.parse(line));
    };
    expect(await listed()).toMatchObject([{ status: "paid", reclaim: null }]);
    opened.status = "lost";
    await tell(known, "charge.dispute.closed", opened);
    await tell(known, "charge.dispute.closed", opened);
    expect(await listed()).toMatchObject([{ status: "paid", reclaim: "disputed" }]);
    const told = warnings.filter((fields) => "reason" in fields && "contract" in fields);
    expect(told).toEqual([
      { contract, amount: 2000, debtor: expect.any(String), reason: "disputed" },
    ]);
  });

  it("is to be claimed back after a withdrawal", async () => {
    const platform = await openHere(open);
    const person = await buyer(platform);
    const paid = { status: "paid", paid_on: "2026-11-20" } as const;
    await platform.database.updateTable("credit").set(paid).execute();
    await withdraw(platform, person);
    const { out } = await runCommand(payments, ["credits"]);
    expect(out.map((line) => JSON.parse(line))).toMatchObject([
      { status: "paid", reclaim: "withdrawn" },
    ]);
  });
});

onEachDatabase("the command payments credits", (open) => {
  async function due() {
    const platform = await openHere(open);
    const person = await buyer(platform);
    const { uid: reference } = await subscriptionOf(platform, person);
    await passTo(platform, DUE);
    await platform.runDueJobs();
    return { platform, person, reference };
  }

  const run = (...argv: string[]) => runCommand(payments, ["credits", ...argv]);
  const references = async (...argv: string[]) =>
    (await run(...argv)).out.map((line) => JSON.parse(line).reference);

  it("lists credits by state and by due day", async () => {
    const { reference } = await due();
    expect(await references()).toEqual([reference]);
    expect(await references("--state", "due", "--day", "2027-01-03")).toEqual([reference]);
    expect(await references("--day", "2027-01-04")).toEqual([]);
    expect(await references("--state", "paid")).toEqual([]);
  });

  it("gives a partner amount, day, identifier and address", async () => {
    const platform = await openHere(open);
    const person = await newPerson(platform);
    const affiliation = { token: "abc", platform: "demo" };
    await post(platform, await newPage(platform, person, { ...CASHBACK, affiliation }));
    const { uid: reference } = await subscriptionOf(platform, person);
    await passTo(platform, DUE);
    await platform.runDueJobs();
    const { out } = await run();
    expect(out.map((line) => JSON.parse(line))).toEqual([
      {
        reference,
        email: person.email,
        amount: 2000,
        status: "due",
        dueDateTime: DUE,
        debtor: "Astro Partenaire (démonstration)",
        conditions: expect.any(String),
        delayAfter: "full-payment",
        delayDays: 30,
        way: "virement bancaire",
        payment: expect.any(String),
        trafficToken: "demo-cashback",
        affiliation,
        reclaim: null,
        obstacle: null,
      },
    ]);
  });

  it("marks a credit as paid once, and the site tells its person", async () => {
    const { platform, person, reference } = await due();
    expect(await run("pay", reference)).toMatchObject({
      code: 0,
      out: [expect.stringContaining(`the site mails ${person.email}`)],
    });
    expect(await letters(platform, person)).toEqual([`${DUE} credit-due`]);
    await platform.runDueJobs();
    expect(await creditOf(platform, person)).toMatchObject({ status: "paid" });
    expect(await run("pay", reference)).toMatchObject({
      code: 1,
      error: [expect.stringContaining("was paid before, on 20")],
    });
    const kinds = (await letters(platform, person)).map((line) => line.split(" ")[1]);
    expect(kinds.sort()).toEqual(["credit-due", "credit-paid"]);
  });

  it("writes in the name of the site, not of its own settings", async () => {
    const { platform, person, reference } = await due();
    vi.stubEnv("SITE_TITLE", "Un autre nom");
    vi.stubEnv("IDENTITY_FILE", undefined);
    await run("pay", reference);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Éditions des Tests SAS");
    expect(text).not.toMatch(/fictive|Un autre nom/);
  });

  it("accepts no day before the order or after today", async () => {
    const { platform, person, reference } = await due();
    const { database: db, clock } = platform;
    const calendar = calendarOf(undefined);
    const pay = (day: string) => markCreditPaid({ db, clock, calendar }, reference, day);
    const refused = (words: string) => ({ refusal: expect.stringContaining(words) });
    expect(await pay("2027-01-04")).toEqual(refused("after today"));
    expect(await pay("2026-11-19")).toEqual(refused("promised later"));
    expect(await references("--state", "due")).toEqual([reference]);
    expect(await pay("2027-01-02")).toEqual({ recipient: person.email });
    expect(await creditOf(platform, person)).toMatchObject({
      status: "paid",
      paidDate: "2027-01-02",
    });
    await platform.runDueJobs();
    expect((await newestMail(platform, person.email)).text).toMatch(/2\sjanv\.\s2027/);
  });

  it("refuses to pay a credit that is not due", async () => {
    const platform = await openHere(open);
    const { uid } = await subscriptionOf(platform, await buyer(platform));
    expect((await run("pay", uid)).error).toEqual([expect.stringContaining("is not due")]);
    expect(await references("--state", "awaited")).toEqual([uid]);
  });

  it("refuses to pay after a withdrawal", async () => {
    const platform = await openHere(open);
    const person = await buyer(platform);
    const { uid } = await subscriptionOf(platform, person);
    await withdraw(platform, person);
    expect((await run("pay", uid)).error).toEqual([expect.stringContaining("withdrawn")]);
  });

  it.each([
    ["--state", "open"],
    ["--day", "demain"],
    ["--days", "3"],
    ["pay"],
    ["pay", "inconnu"],
    ["pay", "inconnu", "--state", "due"],
    ["give", "inconnu"],
  ])("refuses %s %s in one line", async (...argv) => {
    await openHere(open);
    const { code, error } = await run(...argv);
    expect(code).toBe(1);
    expect(error).toEqual([expect.not.stringContaining("\n")]);
  });
});

onEachDatabase("a formula whose credit has no conditions", (open) => {
  async function vague() {
    const [warnings, warn]: [object[], (fields: object) => void] = [
      [],
      (fields) => warnings.push(fields),
    ];
    const first = await open({ log: { info() {}, warn, error() {} } });
    vi.stubEnv("DATABASE_URL", first.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", first.place.dataDir);
    await first.database.updateTable("formula").set({ credit_debtor: null }).execute();
    return { first, warnings };
  }

  it("is not sold", async () => {
    const { first: platform } = await vague();
    const refused = { status: 400, body: { violations: [{ property: "formula" }] } };
    expect(await platform.call("GET /offers?trafficToken=demo-cashback")).toMatchObject(refused);
    expect(await platform.call("GET /offers?formula=vip-cashback")).toMatchObject(refused);
    const { token } = await newPerson(platform);
    const link = await platform.call("POST /subscriptions/payment-link", { token, body: CASHBACK });
    expect(link).toMatchObject(refused);
  });

  it("causes a warning at start and in the list", async () => {
    const { first, warnings } = await vague();
    expect(warnings).not.toContainEqual({ formula: "vip-cashback" });
    await first.reopen();
    expect(warnings).toContainEqual({ formula: "vip-cashback" });
    expect(warnings).not.toContainEqual({ formula: "vip-mensuel" });
    const { out } = await runCommand(formulas, ["list"]);
    expect(out.filter((line) => line.includes("not sold: the conditions"))).toEqual([
      expect.stringMatching(/^vip-cashback\t/),
    ]);
  });

  it("still has its contracts renewed", async () => {
    const platform = await open();
    const person = await buyer(platform);
    await platform.database.updateTable("formula").set({ credit_debtor: null }).execute();
    await passTo(platform, "2026-12-10T10:00:00.000Z");
    expect((await subscriptionOf(platform, person)).expires_at).toBe("2027-01-04T10:00:00.000Z");
  });
});

onEachDatabase("a credit beside other payments of its contract", (open) => {
  type Renewal = { period_start: string | null; covers_from: string | null };
  type Refund = {
    status: "pending" | "success" | "failure";
    made_by?: "operator";
    amount?: number;
  };
  const NEXT = "2027-01-04T10:00:00.000Z";

  /** Somebody whose first whole period is paid, and whose next payment was refunded. */
  async function refundedNext(renewal: Renewal, ...refunds: Refund[]) {
    const platform = await open();
    const person = await buyer(platform);
    await passTo(platform, FULL_DEBIT);
    await platform.runDueJobs();
    const { uid: subscription_uid } = await subscriptionOf(platform, person);
    const [uid, created_at] = [newUid(), platform.clock.now().toISOString()];
    await platform.database
      .insertInto("payment")
      .values({
        uid,
        subscription_uid,
        account_uid: person.uid,
        formula_uid: CASHBACK.formula,
        kind: "renewal",
        amount: 1490,
        cashback: 0,
        status: "success",
        created_at,
        covers_until: renewal.covers_from && "2027-02-04T10:00:00.000Z",
        period_start: renewal.period_start,
        covers_from: renewal.covers_from,
      })
      .execute();
    for (const [index, refund] of refunds.entries()) {
      const reason = `Geste ${index}`;
      await platform.database
        .insertInto("refund")
        .values({ uid: newUid(), payment_uid: uid, amount: 1490, created_at, reason, ...refund })
        .execute();
    }
    await passTo(platform, DUE);
    await platform.runDueJobs();
    return creditOf(platform, person);
  }

  const PAID: Renewal = { period_start: NEXT, covers_from: NEXT };

  it.each(["pending", "success"] as const)("is not owed after a %s refund", async (status) => {
    const credit = await refundedNext(PAID, { status });
    expect(credit).toMatchObject({ status: "void", reason: "refunded" });
  });

  it("is owed though a refund failed", async () => {
    expect(await refundedNext(PAID, { status: "failure" })).toMatchObject({ status: "due" });
  });

  it.each([
    ["no period", { period_start: NEXT, covers_from: null }],
    ["a period that was called off", { period_start: null, covers_from: NEXT }],
  ])("is owed though a payment of %s was refunded", async (_, renewal) => {
    const credit = await refundedNext(renewal, { status: "success" });
    expect(credit).toMatchObject({ status: "due" });
  });

  it("is owed though the seller gave a payment back as a gesture", async () => {
    const credit = await refundedNext(PAID, { status: "success", made_by: "operator" });
    expect(credit).toMatchObject({ status: "due" });
  });

  it("is not owed once a rule gave back what a gesture had left", async () => {
    const credit = await refundedNext(
      PAID,
      { status: "success", made_by: "operator", amount: 500 },
      { status: "success", amount: 990 },
    );
    expect(credit).toMatchObject({ status: "void", reason: "refunded" });
  });
});

onEachDatabase("a paid credit to be claimed back", (open) => {
  /** Somebody in the trial they paid at Stripe, whose credit is paid already. */
  async function paidBefore() {
    const warnings: object[] = [];
    const warn = (fields: object) => void warnings.push(fields);
    const shop = await openWithStripe(open, { log: { info() {}, warn, error() {} } });
    const { platform, person, stripe } = shop;
    const page = await newPage(platform, person, CASHBACK);
    stripe.pay(page);
    await stripe.deliver(platform, stripe.told(page));
    const paid = { status: "paid", paid_on: "2026-11-20" } as const;
    await platform.database.updateTable("credit").set(paid).execute();
    const newest = newestIntent(shop);
    const known: Shop = { ...shop, first: newest, newest, lines: [], notes: [] };
    const reclaim = async () => {
      const credits = platform.database.selectFrom("credit").select("reclaim_reason");
      return (await credits.executeTakeFirstOrThrow()).reclaim_reason;
    };
    const reasons = () =>
      warnings.flatMap((fields) =>
        "contract" in fields && "reason" in fields ? [fields.reason] : [],
      );
    return { known, newest, reclaim, reasons };
  }

  it("is owed again after the dispute is won", async () => {
    const { known, newest, reclaim, reasons } = await paidBefore();
    const opened = dispute(known, newest, "lost");
    await tell(known, "charge.dispute.closed", opened);
    expect(await reclaim()).toBe("disputed");
    opened.status = "won";
    await tell(known, "charge.dispute.closed", opened);
    expect(await reclaim()).toBeNull();
    expect(reasons()).toEqual(["disputed"]);
  });

  it("takes another reason without a second warning", async () => {
    const { known, newest, reclaim, reasons } = await paidBefore();
    giveBack(known, newest);
    await tellRefund(known, newest);
    expect(await reclaim()).toBe("refunded");
    await tell(known, "charge.dispute.closed", dispute(known, newest, "lost"));
    expect(await reclaim()).toBe("disputed");
    expect(reasons()).toEqual(["refunded"]);
  });
});
