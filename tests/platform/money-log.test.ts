import { afterEach, expect, it, vi } from "vitest";
import { main as payments } from "../../server/cli/payments";
import { inTransaction } from "../../server/platform/database/transaction";
import { ATTEMPTS_MS } from "../../server/platform/money/refunds";
import { logMovement } from "../../server/platform/money/money-log";
import { onEachDatabase } from "../support/platform";
import { runAt } from "./command";
import { CARDS, CASHBACK, newPage, newPerson, payWith, post } from "./funnel";
import { DAY_MS, passDays, passTo, subscriber, subscriptionOf } from "./life";
import { dispute, giveAllBack, openSubscribed, tell } from "./reversals";

afterEach(() => vi.unstubAllEnvs());

/** A log that keeps the movements of money alone. */
function moneyLog() {
  const moved: object[] = [];
  const info = (fields: object, message: string) => {
    if (message === "money moved") moved.push(fields);
  };
  return { moved, log: { info, warn() {}, error() {} } };
}

const MOVED = "money moved ";
/** The movements among the lines of a shop that pays by Stripe. */
const movedIn = (notes: readonly string[]): object[] =>
  notes
    .filter((line) => line.startsWith(MOVED))
    .map((line) => JSON.parse(line.slice(MOVED.length)));

const uid = expect.any(String);
const currency = "eur";

onEachDatabase("the log of money", (open) => {
  it("has one line for a charge, whatever its outcome", async () => {
    const { moved, log } = moneyLog();
    const platform = await open({ log });
    const person = await newPerson(platform);
    await payWith(platform, person, CARDS.declined);
    await payWith(platform, person, CARDS.success);
    await platform.runDueJobs();
    const charge = { movement: "charge", uid, amount: 100, currency };
    expect(moved).toEqual([
      { ...charge, outcome: "failure" },
      { ...charge, outcome: "success" },
    ]);
  });

  it("has one line for each state of a refund", async () => {
    const { moved, log } = moneyLog();
    const platform = await open({ log });
    const { email, token } = await subscriber(platform);
    moved.length = 0;
    await platform.call("POST /withdrawals", { token, body: { name: "Léa Martin", email } });
    await platform.runDueJobs();
    const refund = { movement: "refund", uid, refund: uid, amount: 100, currency };
    expect(moved).toEqual([
      { ...refund, outcome: "pending" },
      { ...refund, outcome: "success" },
    ]);
    expect(JSON.stringify(moved)).not.toMatch(/Léa|@|4242/);
  });

  it("tells of a refund that is paid by another way", async () => {
    const { moved, log } = moneyLog();
    const platform = await open({ log, sandbox: { refuseRefunds: true } });
    const { email, token } = await subscriber(platform);
    await platform.call("POST /withdrawals", { token, body: { name: "Léa Martin", email } });
    await passDays(platform, ATTEMPTS_MS / DAY_MS + 1);
    const [refund] = await platform.database.selectFrom("refund").selectAll().execute();
    expect(moved.at(-1)).toMatchObject({ movement: "refund", outcome: "failure" });
    await runAt(platform, payments, ["repaid", refund?.payment_uid ?? "", "--by", "Zoé"]);
    await platform.runDueJobs();
    expect(moved.at(-1)).toMatchObject({ uid: refund?.payment_uid, amount: 100 });
    expect(moved.at(-1)).toMatchObject({ outcome: "success by another way" });
  });

  it("tells of a refund made at the provider", async () => {
    const shop = await openSubscribed(open);
    await giveAllBack(shop, shop.first);
    await shop.platform.runDueJobs();
    const { amount } = shop.first;
    expect(movedIn(shop.notes).at(-1)).toEqual({
      movement: "refund",
      uid,
      refund: uid,
      amount,
      outcome: "success",
      currency,
    });
  });

  it("has one line for each state of a dispute", async () => {
    const shop = await openSubscribed(open);
    const opened = dispute(shop, shop.first);
    await tell(shop, "charge.dispute.created", opened);
    await tell(shop, "charge.dispute.created", opened);
    opened.status = "lost";
    await tell(shop, "charge.dispute.closed", opened);
    await shop.platform.runDueJobs();
    const claim = { movement: "claim", claim: "dispute", amount: shop.first.amount };
    const claims = movedIn(shop.notes).filter((one) => "claim" in one);
    expect(claims).toMatchObject([
      { ...claim, outcome: "open" },
      { ...claim, outcome: "lost" },
    ]);
  });

  it("has one line for a credit that is paid", async () => {
    const { moved, log } = moneyLog();
    const platform = await open({ log });
    const person = await newPerson(platform);
    await post(platform, await newPage(platform, person, CASHBACK));
    const { uid: contract } = await subscriptionOf(platform, person);
    await passTo(platform, "2027-01-03T10:00:00.000Z");
    await platform.runDueJobs();
    await runAt(platform, payments, ["credits", "pay", contract]);
    await platform.runDueJobs();
    const credits = moved.filter((one) => "movement" in one && one.movement === "credit");
    const credit = { movement: "credit", uid: contract, amount: 2000, outcome: "paid" };
    expect(credits).toEqual([{ ...credit, currency }]);
  });

  it("has no line for what is undone", async () => {
    const { moved, log } = moneyLog();
    const { database: db } = await open();
    const movement = { movement: "charge", uid: "p1", amount: 1, outcome: "success" } as const;
    const undone = inTransaction({ db, log }, async (within) => {
      logMovement(within, movement);
      throw new Error("undone");
    });
    await expect(undone).rejects.toThrow("undone");
    await inTransaction({ db, log }, async (within) => {
      logMovement(within, movement);
      expect(moved).toEqual([]);
    });
    expect(moved).toHaveLength(1);
  });
});
