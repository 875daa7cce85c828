import { afterEach, expect, it, vi } from "vitest";
import { main as formulas } from "../../server/cli/formulas";
import { main as site } from "../../server/cli/site";
import { FakeClock } from "../../server/platform/ports/clock";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { standInForStripe } from "../support/stripe-stand-in";
import { runCommand } from "./command";
import { newPerson, paymentLink } from "./funnel";

afterEach(() => vi.unstubAllEnvs());

const change = (...argv: string[]) => runCommand(formulas, argv);

const FREE = ["--trial", "7 days", "--trial-amount", "free"];
const MONTHLY = ["--amount", "9.90", "--period", "1 month"];
/** Words of the greatest lengths: with them the order says more than Stripe shows. */
const LONG = [
  ["--credit", "20"],
  ["--credit-debtor", "mot ".repeat(25)],
  ["--credit-way", "mot ".repeat(37)],
  ["--credit-delay", "30"],
  ["--credit-after", "order"],
  ["--credit-conditions", "mot ".repeat(125)],
].flat();

function stubStripe() {
  vi.stubEnv("PAYMENT_GATEWAY", "stripe");
  vi.stubEnv("STRIPE_SECRET_KEY", "sk_test_1");
  vi.stubEnv("STRIPE_WEBHOOK_SECRET", "whsec_1");
}

/** Formulas that were written with the sandbox bank, on a site that then takes payments by Stripe. */
async function movedToStripe(open: OpenPlatform) {
  const warnings: string[] = [];
  const warn = (fields: object, message: string) =>
    void warnings.push(`${JSON.stringify(fields)} ${message}`);
  const sandbox = await open();
  vi.stubEnv("DATABASE_URL", sandbox.place.databaseUrl ?? "");
  vi.stubEnv("DATA_DIR", sandbox.place.dataDir);
  const added = [
    await change("add", "vip-libre", "--name", "VIP libre", ...MONTHLY, ...FREE),
    await change("add", "vip-long", "--name", "VIP long", ...MONTHLY, ...LONG),
  ];
  expect(added.map(({ code, error }) => [code, error])).toEqual([
    [0, []],
    [0, []],
  ]);
  await sandbox.database
    .insertInto("traffic_token")
    .values({ value: "long", formula_uid: "vip-long", is_valid: 1 })
    .execute();
  await sandbox.close();
  const clock = new FakeClock();
  const stripe = await standInForStripe(clock);
  const log = { info() {}, warn, error() {} };
  const options = { ...sandbox.place, clock, stripe: stripe.options, log };
  return { options, platform: await open(options), stripe, warnings };
}

const statusOf = async (platform: TestPlatform, line: string) => {
  const { status, body } = await platform.call(line);
  return [status, body.violations?.[0]];
};

onEachDatabase("a formula that Stripe's page cannot sell", (open) => {
  const unsold = (words: string) => [
    400,
    expect.objectContaining({ property: "formula", message: expect.stringContaining(words) }),
  ];

  it("is not offered, and leads to no page", async () => {
    const { platform, stripe } = await movedToStripe(open);
    const free = unsold("cannot be free with Stripe");
    const long = unsold("Stripe's page shows 1200");
    expect(await statusOf(platform, "GET /offers?formula=vip-libre")).toEqual(free);
    expect(await statusOf(platform, "GET /offers?trafficToken=long")).toEqual(long);
    expect(await statusOf(platform, "GET /offers?formula=vip-long")).toEqual(long);
    expect(await statusOf(platform, "GET /offers?formula=vip-mensuel")).toEqual([200, undefined]);
    const person = await newPerson(platform);
    for (const body of [{ formula: "vip-libre" }, { formula: "vip-long", trafficToken: "long" }]) {
      expect(await paymentLink(platform, person, body)).toMatchObject({
        status: 400,
        body: { violations: [{ property: "formula" }] },
      });
    }
    expect(stripe.account.all("checkout.session")).toEqual([]);
  });

  it("causes a warning at each start", async () => {
    const { warnings } = await movedToStripe(open);
    const unsellable = warnings.filter((line) => line.includes("not sold"));
    expect(unsellable).toEqual([
      expect.stringMatching(/^\{"formula":"vip-libre"\} .*cannot be free.*formulas -- change/),
      expect.stringMatching(/^\{"formula":"vip-long"\} .*page shows 1200.*formulas -- change/),
    ]);
  });

  it("refuses the start as the formula of the registration", async () => {
    const { options, platform } = await movedToStripe(open);
    await platform.close();
    await expect(open({ ...options, defaultFormula: "vip-libre" })).rejects.toThrow(
      /^DEFAULT_FORMULA: vip-libre is not sold: .*; give one that there is: vip-mensuel$/,
    );
  });

  it("is marked in the list and missing before real money", async () => {
    await movedToStripe(open);
    const marked = async () =>
      (await change("list")).out.filter((line) => line.includes("not sold: ")).map(uidOf);
    const checked = async () =>
      (await runCommand(site, ["check"])).out
        .filter((line) => line.includes("is not sold: "))
        .map((line) => line.split("npm run ")[1]);
    expect([await marked(), await checked()]).toEqual([[], []]);
    stubStripe();
    expect(await marked()).toEqual(["vip-libre", "vip-long"]);
    expect(await checked()).toEqual([
      "formulas -- change or retire vip-libre",
      "formulas -- change or retire vip-long",
    ]);
    await change("retire", "vip-libre");
    await change("change", "vip-long", "--credit-conditions", "premier mois payé");
    expect(await checked()).toEqual([]);
  });

  it("is neither confirmed nor changed until it can be sold", async () => {
    await movedToStripe(open);
    expect((await change("confirm", "vip-libre")).code).toBe(0);
    stubStripe();
    const refusal = "vip-libre would not be sold: its trial cannot be free";
    for (const argv of [
      ["confirm", "vip-libre"],
      ["change", "vip-libre", "--amount", "12.00"],
    ]) {
      expect(await change(...argv)).toMatchObject({
        code: 1,
        error: [expect.stringContaining(refusal)],
      });
    }
    expect((await change("change", "vip-libre", "--trial-amount", "1.00")).code).toBe(0);
    expect((await change("confirm", "vip-libre")).code).toBe(0);
  });
});

const uidOf = (line: string) => line.split("\t", 1)[0];
