import { afterEach, expect, it } from "vitest";
import { startJobProcesses } from "../support/job-processes";
import { onEachDatabase, type OpenPlatform } from "../support/platform";
import { ledgerOf, loseCard, mailsTo, subscriber, subscriptionOf } from "./life";

const DAY_MS = 24 * 3_600_000;
const running: { stop(): void }[] = [];

afterEach(() => {
  for (const processes of running.splice(0)) processes.stop();
});

onEachDatabase("two processes on one database", (open) => {
  it("charge each renewal that is due once", async () => {
    const { platform, pass } = await openTwo(open);
    const people = [];
    for (let index = 0; index < 12; index++) people.push(await subscriber(platform));
    await pass(6);
    await pass(1);
    for (const person of people) {
      expect(await ledgerOf(platform, person.email)).toEqual([
        "2026-11-20T10:00:00.000Z charge 100 success",
        "2026-11-27T10:00:00.000Z charge 990 success",
      ]);
      // Welcome, reminder and two receipts.
      expect(await mailsTo(platform, person.email)).toHaveLength(4);
    }
    const jobs = await platform.database
      .selectFrom("job")
      .selectAll()
      .where("kind", "=", "subscription.renew")
      .where("done_at", "is not", null)
      .execute();
    expect(jobs).toHaveLength(12);
    expect(jobs.filter(({ attempts, error }) => attempts > 1 || error)).toEqual([]);
  });

  it("mail, end, refund and delete once", async () => {
    const { platform, pass } = await openTwo(open);
    const unpaid = await subscriber(platform);
    await loseCard(platform, unpaid);
    const withdrawn = await subscriber(platform);
    await platform.call("POST /withdrawals", {
      token: withdrawn.token,
      body: { name: "Ada Byron", email: withdrawn.email },
    });
    for (let day = 0; day < 14; day++) await pass(1);
    const kinds = (await mailsTo(platform, unpaid.email)).map((line) => line.split(" ")[1]);
    const declined = Array<string>(4).fill("declined");
    expect(kinds).toEqual(["welcome", "receipt", "trial-ending", ...declined, "ended"]);
    expect((await ledgerOf(platform, withdrawn.email)).map((line) => line.split(" ")[1])).toEqual([
      "charge",
      "refund",
    ]);
    expect(await mailsTo(platform, withdrawn.email)).toEqual([]);
  });

  it("renew consistently over a year", async () => {
    const { platform, pass } = await openTwo(open);
    const person = await subscriber(platform);
    await pass(6);
    for (let month = 0; month < 12; month++) {
      const { expires_at } = await subscriptionOf(platform, person);
      await pass((Date.parse(expires_at) - platform.clock.now().getTime()) / DAY_MS);
    }
    expect(await ledgerOf(platform, person.email)).toHaveLength(13);
    expect(await subscriptionOf(platform, person)).toMatchObject({
      expires_at: "2027-11-27T10:00:00.000Z",
    });
  });
});

async function openTwo(open: OpenPlatform) {
  const platform = await open();
  const processes = await startJobProcesses(platform, 2);
  running.push(processes);
  const pass = async (days: number) => {
    platform.clock.advance(days * DAY_MS);
    await processes.run();
  };
  return { platform, pass };
}
