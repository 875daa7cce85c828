import { expect, it } from "vitest";
import { counts } from "../../server/counts";
import { afterCommit, inTransaction } from "../../server/platform/database/transaction";
import { limit, limitAddress } from "../../server/platform/limits/limit";
import { sendMail } from "../../server/platform/mail/outbox";
import { settlePayment } from "../../server/platform/subscriptions/settlement";
import { receipt } from "../support/letters";
import { onEachDatabase } from "../support/platform";
import { subscriptionContext } from "./context";
import { CARDS, newPage, newPerson, payWith } from "./funnel";
import { subscriber } from "./life";

/** What is counted while the work runs, as `first success: 1`. */
async function countedIn(kind: keyof typeof counts, work: () => Promise<unknown>) {
  const read = () =>
    new Map(
      counts[kind].all().map(({ labels, value }) => [Object.values(labels).join(" "), value]),
    );
  const before = read();
  await work();
  const more = [...read()].flatMap(([name, value]) => {
    const count = value - (before.get(name) ?? 0);
    return count === 0 ? [] : [`${name}: ${count}`];
  });
  return more.sort();
}

onEachDatabase("what happened", (open) => {
  it("is counted for each payment by its outcome", async () => {
    const platform = await open();
    const [ada, ben] = [await newPerson(platform), await newPerson(platform)];
    const counted = await countedIn("payments", async () => {
      await payWith(platform, ada, CARDS.declined);
      await payWith(platform, ben, CARDS.success);
      await platform.runDueJobs();
    });
    expect(counted).toEqual(["first failure: 1", "first success: 1"]);
  });

  it("is counted once for a payment of which two notifications tell", async () => {
    const platform = await open();
    const person = await newPerson(platform);
    await newPage(platform, person);
    const { uid } = await platform.database
      .selectFrom("payment")
      .select("uid")
      .executeTakeFirstOrThrow();
    const paid = { status: "success", cardReference: "card", cardHint: "0000" } as const;
    const refused = { status: "failure", code: "declined", message: "Declined" } as const;
    const settle = (outcome: typeof paid | typeof refused) =>
      settlePayment(subscriptionContext(platform), uid, outcome);
    const counted = await countedIn("payments", async () => {
      await settle(refused);
      await settle(refused);
      await settle(paid);
      await settle(paid);
    });
    expect(counted).toEqual(["first failure: 1", "first late: 1"]);
  });

  it("is counted for each refund by its outcome", async () => {
    const platform = await open();
    const { email, token } = await subscriber(platform);
    const counted = await countedIn("refunds", async () => {
      const body = { name: "Léa Martin", email };
      await platform.call("POST /withdrawals", { token, body });
      await platform.runDueJobs();
    });
    expect(counted).toEqual(["success: 1"]);
  });

  it("is counted for each mail that is sent", async () => {
    const platform = await open();
    await platform.runDueJobs();
    const { database, clock } = platform;
    await sendMail(database, clock, { key: "one", to: "ada@example.org", letter: receipt });
    const counted = await countedIn("mails", () => platform.runDueJobs());
    expect(counted).toEqual(["sent: 1"]);
  });

  it("is counted for each refusal by the rule", async () => {
    const { database, clock } = await open();
    const rule = { scope: "test.count", max: 2, windowMs: 60_000 };
    const counted = await countedIn("limits", async () => {
      for (const _ of [1, 2, 3, 4]) {
        await limit(database, clock, rule, "192.0.2.1").catch(() => undefined);
      }
      for (let n = 0; n < 21; n++) {
        await limitAddress(database, clock, rule, `198.51.100.${n}`).catch(() => undefined);
      }
    });
    expect(counted).toEqual(["test.count.network: 1", "test.count: 2"]);
  });

  it("is not counted when its transaction is not committed", async () => {
    const { database } = await open();
    const happened: string[] = [];
    const broken = inTransaction({ db: database }, async ({ db }) => {
      afterCommit(db, () => happened.push("broken"));
      throw new Error("No commit");
    });
    await expect(broken).rejects.toThrow("No commit");
    await inTransaction({ db: database }, async ({ db }) => {
      afterCommit(db, () => happened.push("committed"));
      happened.push("before");
    });
    expect(happened).toEqual(["before", "committed"]);
  });

  it("is refused where nobody knows when its transaction is committed", async () => {
    const { database } = await open();
    const happened: string[] = [];
    const unknown = database
      .transaction()
      .execute(async (db) => afterCommit(db, () => happened.push("early")));
    await expect(unknown).rejects.toThrow("What waits for a commit needs inTransaction");
    afterCommit(database, () => happened.push("at once"));
    expect(happened).toEqual(["at once"]);
  });
});
