import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it, vi } from "vitest";
import { main as backup } from "../../server/cli/backup";
import { main as data } from "../../server/cli/data";
import { main as payments } from "../../server/cli/payments";
import { main as sandbox } from "../../server/cli/sandbox";
import { main as traffic } from "../../server/cli/traffic";
import type { PlatformOptions } from "../../server/platform";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { CARDS, newPerson, payWith } from "./funnel";
import { passDays, subscriber } from "./life";
import { dispute, giveBack, openSubscribed, tell, tellRefund } from "./reversals";

afterEach(() => vi.unstubAllEnvs());

const run = (main: (argv: string[]) => Promise<number>, ...argv: string[]) =>
  runCommand(main, argv);

onEachDatabase("a command", (open) => {
  const openHere = async (options: Partial<PlatformOptions> = {}) => {
    const platform = await open(options);
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    return platform;
  };

  it("prints the ledger, one line a movement", async () => {
    const platform: TestPlatform = await openHere();
    const ada = await newPerson(platform);
    const bob = await newPerson(platform);
    await payWith(platform, ada, CARDS.declined);
    await payWith(platform, bob, CARDS.success);
    const { code, out } = await run(sandbox, "ledger");
    const charge = { at: "2026-11-20T10:00:00.000Z", kind: "charge", amount: 100, currency: "EUR" };
    expect(code).toBe(0);
    expect(out.map((line) => JSON.parse(line))).toEqual([
      { ...charge, email: ada.email, status: "declined" },
      { ...charge, email: bob.email, status: "success" },
    ]);
  });

  it("lists payments, and those that failed", async () => {
    const sandbox = { unreachable: false };
    const platform = await openHere({ sandbox });
    const ada = await subscriber(platform);
    const bob = await newPerson(platform);
    await payWith(platform, bob, CARDS.declined);
    sandbox.unreachable = true;
    await passDays(platform, 7.1);
    const all = await run(payments, "list", "--days", "9999");
    expect(all).toMatchObject({ code: 0, error: [] });
    expect(all.out).toHaveLength(3);
    const { out } = await run(payments, "list", "--failed", "--days", "9999");
    expect(out.map((line) => JSON.parse(line))).toMatchObject([
      { email: bob.email, kind: "first", status: "failure", code: "declined" },
      {
        email: ada.email,
        kind: "renewal",
        status: "pending",
        code: "not asked: unreachable",
        amount: 990,
      },
    ]);
    expect(out.join()).not.toContain("card");
  });

  it("shows refunds and disputes of a payment", async () => {
    const shop = await openSubscribed(open);
    vi.stubEnv("DATABASE_URL", shop.platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", shop.platform.place.dataDir);
    const list = async (...argv: string[]) => {
      const { out } = await run(payments, "list", "--days", "9999", ...argv);
      return out.map((line) => JSON.parse(line));
    };
    const kept = { status: "success", refunded: 0, refundPending: 0, refundGivenUp: 0 };
    expect(await list()).toMatchObject([{ ...kept, dispute: null }]);
    expect(await list("--reversed")).toEqual([]);
    giveBack(shop, shop.first, 40);
    await tellRefund(shop, shop.first);
    const claim = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", claim);
    expect(await list("--reversed")).toMatchObject([{ ...kept, refunded: 40, dispute: "open" }]);
    for (const status of ["lost", "won"] as const) {
      claim.status = status;
      await tell(shop, "charge.dispute.closed", claim);
      expect(await list("--reversed")).toMatchObject([{ refunded: 40, dispute: status }]);
    }
    const given = { created_at: "2026-11-20T10:00:00.000Z", made_by: "platform" } as const;
    const refund = { uid: "r1", payment_uid: (await list())[0].payment, amount: 60, ...given };
    await shop.platform.database
      .insertInto("refund")
      .values({ ...refund, status: "failure" })
      .execute();
    expect(await list()).toMatchObject([{ refunded: 40, refundGivenUp: 60, refundPending: 0 }]);
    const both = await run(payments, "list", "--failed", "--reversed");
    expect([both.code, both.error.length]).toEqual([1, 1]);
  });

  it.each([["list", "all"], ["list", "--days", "many"], ["debts"], [], ["list", "--secret"]])(
    "refuses payments %s %s in one line",
    async (...argv) => {
      await openHere();
      const { code, error } = await run(payments, ...argv);
      expect(code).toBe(1);
      expect(error).toHaveLength(1);
    },
  );

  it("adds a traffic token for a formula", async () => {
    const platform = await openHere();
    const { code } = await run(traffic, "add", "partenaire-1", "--formula", "vip-cashback");
    expect(code).toBe(0);
    const { body } = await platform.call("GET /traffic-tokens/partenaire-1");
    expect(body.payload).toEqual({
      value: "partenaire-1",
      isValid: true,
      formula: "vip-cashback",
    });
  });

  it.each([
    ["add", "partenaire-1", "--formula", "inconnue"],
    ["add", "pas valable", "--formula", "vip-cashback"],
    ["add", "demo-cashback", "--formula", "vip-cashback"],
    ["add", "partenaire-1"],
    ["remove", "demo-cashback"],
    ["--unknown"],
  ])("refuses traffic %s %s in one line", async (...argv) => {
    await openHere();
    const { code, error } = await run(traffic, ...argv);
    expect(code).toBe(1);
    expect(error).toHaveLength(1);
    expect(error[0]).not.toContain("\n");
  });
});

it("explains itself when asked for help", async () => {
  expect(await run(payments, "--help")).toMatchObject({ code: 0, error: [] });
  expect(await run(sandbox, "--help")).toMatchObject({ code: 0, error: [] });
  expect(await run(traffic, "--help")).toMatchObject({ code: 0, error: [] });
});

it("refuses an unknown sandbox command in one line", async () => {
  expect(await run(sandbox, "steal")).toMatchObject({
    code: 1,
    error: ["Unknown command: steal (see --help)"],
  });
});

it.each<[typeof payments, string[], string]>([
  [sandbox, ["advance"], "Expected: advance <days> (see --help)"],
  [
    payments,
    ["refund", "uid", "--amount", "-5", "--reason", "Geste"],
    "--amount: a value that begins with a dash is given as --amount=<value>",
  ],
  [
    payments,
    ["refund", "uid", "--amount=-5", "--reason", "Geste"],
    "Not an amount in cents, 1 at least: -5 (990 is 9.90 €)",
  ],
  [
    data,
    ["change-email", "ada@exemple.fr", "ada@exemple.fr"],
    "That is the same e-mail: ada@exemple.fr",
  ],
  [backup, ["/nowhere/site.backup"], "There is no folder /nowhere"],
])("says in one line what to correct: %#", async (main, argv, line) => {
  expect(await run(main, ...argv)).toMatchObject({ code: 1, out: [], error: [line] });
});

it("names a folder of data that cannot be entered", async () => {
  const folder = join(import.meta.filename, "data");
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("DATA_DIR", folder);
  const { code, error } = await run(payments, "list");
  expect([code, error]).toEqual([1, [expect.stringContaining(`cannot look into ${folder} (`)]]);
});

it("refuses a folder without a database and creates none", async () => {
  const folder = join(tmpdir(), `cap-celeste-nowhere-${process.pid}`);
  vi.stubEnv("DATABASE_URL", "");
  vi.stubEnv("DATA_DIR", folder);
  const { code, error } = await run(payments, "list");
  expect([code, error]).toEqual([1, [expect.stringContaining(`no database in ${folder}`)]]);
  expect(existsSync(folder)).toBe(false);
});
