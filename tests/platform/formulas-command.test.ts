import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { main } from "../../server/cli/formulas";
import { onEachDatabase } from "../support/platform";
import { payByCard, payments, subscriptions } from "./card-form";
import { runCommand } from "./command";
import { CARDS, movements, newPage, newPerson, post } from "./funnel";
import { newestMail, passDays, subscriber } from "./life";

afterEach(() => vi.unstubAllEnvs());

const run = (...argv: string[]) => runCommand(main, argv);

const CREDIT = [
  "--credit",
  "20,00",
  "--credit-debtor",
  "Astro Partenaire",
  "--credit-way",
  "virement bancaire",
  "--credit-delay",
  "45",
  "--credit-after",
  "order",
  "--credit-conditions",
  "premier mois payé",
];

const TERMS = ["--name", "VIP annuel", "--amount", "89,00", "--period", "1 year"];

onEachDatabase("the command formulas", (open) => {
  const openHere = async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    return platform;
  };

  it("lists sold and retired formulas", async () => {
    await openHere();
    await run("retire", "vip-cashback");
    const { code, out } = await run("list");
    expect(code).toBe(0);
    expect(out).toEqual([
      expect.stringMatching(
        /^vip-cashback\t.*credit 20\.00 EUR from .*, 30 days after full-payment, if: .*\tretired 20/,
      ),
      "vip-mensuel\tVIP mensuel\t9.90 EUR every 1 month\ttrial 7 day 1.00 EUR",
    ]);
  });

  it("adds a formula that is sold at once", async () => {
    const platform = await openHere();
    const trial = ["--trial", "2 weeks", "--trial-amount", "5.00"];
    expect((await run("add", "vip-annuel", ...TERMS, ...trial)).code).toBe(0);
    const { body } = await platform.call("GET /offers?formula=vip-annuel");
    expect(body.payload).toMatchObject({
      name: "VIP annuel",
      amountNow: 500,
      amount: 8900,
      trial: { duration: 2, unit: "week", amount: 500 },
      period: { duration: 1, unit: "year" },
    });
  });

  it("makes a free trial that charges nothing first", async () => {
    const platform = await openHere();
    await run("add", "vip-libre", ...TERMS, "--trial", "7 days", "--trial-amount", "free");
    const person = await newPerson(platform);
    const paid = await payByCard(platform, person, { body: { formula: "vip-libre" } });
    expect(paid.status).toBe(200);
    await passDays(platform, 8);
    const charged = (await movements(platform)).map(({ amount }) => amount);
    expect(charged.filter((amount) => amount > 0)).toEqual([8900]);
  });

  it("leaves contracts and open pages unchanged", async () => {
    const platform = await openHere();
    await subscriber(platform);
    const page = await newPage(platform, await newPerson(platform));
    const { code, out } = await run("change", "vip-mensuel", "--amount", "12.50");
    expect([code, out]).toEqual([0, [expect.stringMatching(/1 running contract.*nobody is told/)]]);
    await post(platform, page);
    const kept = await subscriptions(platform);
    expect(kept.map(({ amount }) => amount)).toEqual([990, 990]);
    const { body } = await platform.call("GET /offers?formula=vip-mensuel");
    expect(body.payload).toMatchObject({ amount: 1250, amountNow: 100 });
  });

  it("keeps the name that a contract was ordered under", async () => {
    const platform = await openHere();
    const person = await subscriber(platform, { card: CARDS.renewalDeclined });
    await run("change", "vip-mensuel", "--name", "VIP annuel");
    await passDays(platform, 7);
    const due = await platform.call("GET /offers?formula=vip-mensuel", person);
    expect(due.body.payload).toMatchObject({ name: "VIP mensuel", amountNow: 990 });
    await passDays(platform, 2);
    expect((await platform.call("GET /subscriptions", person)).body.payload).toMatchObject({
      formula: "vip-mensuel",
      formulaName: "VIP mensuel",
    });
    const { text } = await newestMail(platform, person.email);
    expect(text).toContain("Service\u00a0: VIP mensuel");
  });

  it.each(["731 days", "104 weeks", "24 months", "2 years"])("sells %s at most", async (length) => {
    await openHere();
    expect((await run("change", "vip-mensuel", "--period", length)).code).toBe(0);
  });

  it("removes trial and credit", async () => {
    const platform = await openHere();
    await run("change", "vip-cashback", "--trial", "none", "--credit", "none");
    const { body } = await platform.call("GET /offers?formula=vip-cashback");
    expect(body.payload).toMatchObject({ amountNow: 1490, trial: null });
    expect(body.payload.creditAmount).toBeUndefined();
  });

  it("adds a credit with its conditions", async () => {
    const platform = await openHere();
    expect((await run("add", "vip-bis", ...TERMS, ...CREDIT)).code).toBe(0);
    const { body } = await platform.call("GET /formulas/vip-bis");
    const creditTerms = {
      debtor: "Astro Partenaire",
      way: "virement bancaire",
      delayDays: 45,
      delayAfter: "order",
      conditions: "premier mois payé",
    };
    expect(body.payload).toMatchObject({ creditAmount: 2000, creditTerms });
    await run("change", "vip-bis", "--credit-delay", "60");
    const changed = await platform.call("GET /formulas/vip-bis");
    expect(changed.body.payload.creditTerms).toEqual({ ...creditTerms, delayDays: 60 });
    await run("change", "vip-bis", "--credit", "none");
    const bare = await platform.call("GET /formulas/vip-bis");
    expect(bare.body.payload).not.toHaveProperty("creditTerms");
  });

  it("names the missing conditions of a credit", async () => {
    await openHere();
    const some = CREDIT.filter((_, at) => at !== 2 && at !== 3);
    const { error } = await run("add", "a", ...TERMS, ...some);
    expect(error).toEqual([expect.stringContaining("--credit-debtor")]);
    expect(error.join()).not.toContain("--credit-way");
  });

  it("sells no retired formula but renews its contracts", async () => {
    const platform = await openHere();
    await run("add", "vip-jour", "--name", "VIP jour", "--amount", "2", "--period", "1 day");
    const person = await subscriber(platform, { formula: "vip-jour" });
    expect((await run("retire", "vip-jour")).code).toBe(0);
    await passDays(platform, 1);
    expect(await payments(platform)).toHaveLength(2);
    const other = await newPerson(platform);
    expect(await payByCard(platform, other, { body: { formula: "vip-jour" } })).toMatchObject({
      status: 400,
      body: { violations: [{ property: "formula" }] },
    });
    expect((await platform.call("GET /formulas/vip-jour", person)).status).toBe(200);
  });

  it("closes the traffic tokens of retired formulas", async () => {
    const platform = await openHere();
    await run("retire", "vip-cashback");
    const { body } = await platform.call("GET /traffic-tokens/demo-cashback");
    expect(body.payload.isValid).toBe(false);
    expect((await platform.call("GET /offers?trafficToken=demo-cashback")).status).toBe(400);
  });

  it.each([
    [],
    ["add", "vip-annuel"],
    ["add", "vip-mensuel", ...TERMS],
    ["add", "pas valable", ...TERMS],
    ["add", "a", ...TERMS, "--trial", "7 days"],
    ["add", "a", ...TERMS, "--trial-amount", "1.00"],
    ["add", "a", ...TERMS, "--trial", "7 days", "--trial-amount", "0"],
    ["add", "a", ...TERMS, "--trial", "none", "--trial-amount", "1.00"],
    ["change", "vip-mensuel", "--trial", "none", "--trial-amount", "free"],
    ["add", "a", ...TERMS, "--credit", "0"],
    ["add", "a", ...TERMS, "--credit", "20"],
    ["add", "a", ...TERMS, ...CREDIT.slice(2)],
    ["add", "a", ...TERMS, ...CREDIT, "--credit-delay", "0"],
    ["add", "a", ...TERMS, ...CREDIT, "--credit-delay", "367"],
    ["add", "a", ...TERMS, ...CREDIT, "--credit-after", "noon"],
    ["add", "a", ...TERMS, ...CREDIT, "--credit-conditions", " "],
    ["change", "vip-mensuel", "--credit-debtor", "Astro"],
    ["add", "a", "--name", "A", "--amount", "0", "--period", "1 month"],
    ["add", "a", "--name", "A", "--amount", "0,49", "--period", "1 month"],
    ["add", "a", "--name", "A", "--amount", "9.9", "--period", "1 month"],
    ["add", "a", "--name", "A", "--amount", "9.90", "--period", "0 month"],
    ["add", "a", "--name", "A", "--amount", "9.90", "--period", "1 fortnight"],
    ["add", "a", "--name", "A", "--amount", "9.90", "--period", "500 years"],
    ["add", "a", ...TERMS, "--trial", "25 months", "--trial-amount", "1.00"],
    ["change", "vip-mensuel", "--period", "732 days"],
    ["change", "vip-mensuel", "--period", "105 weeks"],
    ["change", "vip-mensuel"],
    ["change", "inconnue", "--amount", "9.90"],
    ["change", "vip-mensuel", "--credit", "20.00"],
    ["retire", "vip-mensuel"],
    ["retire", "inconnue"],
    ["list", "vip-mensuel"],
    ["sell", "vip-mensuel"],
  ])("refuses %s %s %s in one line", async (...argv) => {
    const platform = await openHere();
    const before = await platform.database.selectFrom("formula").selectAll().execute();
    const { code, error } = await run(...argv);
    expect(code).toBe(1);
    expect(error).toEqual([expect.not.stringContaining("\n")]);
    expect(await platform.database.selectFrom("formula").selectAll().execute()).toEqual(before);
  });
});

it("refuses a free trial with Stripe", async () => {
  vi.stubEnv("PAYMENT_GATEWAY", "stripe");
  vi.stubEnv("STRIPE_SECRET_KEY", "sk_test_1");
  vi.stubEnv("STRIPE_WEBHOOK_SECRET", "whsec_1");
  const free = ["--trial", "7 days", "--trial-amount", "free"];
  const { code, error } = await run("add", "vip-libre", ...TERMS, ...free);
  expect([code, error]).toEqual([1, [expect.stringContaining("cannot be free")]]);
});

it("refuses words that Stripe's page cannot show whole", async () => {
  vi.stubEnv("PAYMENT_GATEWAY", "stripe");
  vi.stubEnv("STRIPE_SECRET_KEY", "sk_test_1");
  vi.stubEnv("STRIPE_WEBHOOK_SECRET", "whsec_1");
  const words = { debtor: 100, way: 150, conditions: 500 };
  const credit = Object.entries(words).flatMap(([name, length]) => [
    `--credit-${name}`,
    "mot ".repeat(length / 4).trim(),
  ]);
  const when = ["--credit", "20", "--credit-delay", "30", "--credit-after", "order"];
  const { code, error } = await run("add", "vip-long", ...TERMS, ...when, ...credit);
  expect([code, error]).toEqual([1, [expect.stringContaining("Stripe's page shows 1200")]]);
});

it("reports that a change is not announced", async () => {
  const { code, out } = await run("--help");
  expect([code, out.join()]).toEqual([0, expect.stringContaining("NOT told")]);
});

it("refuses a folder without a database and creates none", async () => {
  const folder = join(tmpdir(), `cap-celeste-no-formulas-${process.pid}`);
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("DATA_DIR", folder);
  const { code, error } = await run("list");
  expect([code, error]).toEqual([1, [expect.stringContaining(`no database in ${folder}`)]]);
  expect(existsSync(folder)).toBe(false);
});
