import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { answer, newCoach, setStatus } from "./desk";
import type { Person } from "./funnel";
import { back, subscriber } from "./life";

const MINUTE_MS = 60_000;

onEachDatabase("what is told before a discussion", (open) => {
  const factsFor = async (platform: TestPlatform, { token }: Person) =>
    (await platform.call("GET /support/coaching/facts", { token })).body.payload;

  async function begin(platform: TestPlatform, { token }: Person) {
    const body = { title: "Mon ascendant", message: "Bonjour" };
    const begun = await platform.call("POST /support/coaching/tickets", { token, body });
    expect(begun.status).toBe(201);
    return String(begun.body.payload.uid);
  }

  /** Discussions with their first answer after so many minutes each. */
  async function answerAfter(platform: TestPlatform, minutes: readonly number[]) {
    const coach = await newCoach(platform);
    for (const wait of minutes) {
      const uid = await begin(platform, await subscriber(platform));
      platform.clock.advance(wait * MINUTE_MS);
      expect((await answer(platform, await back(platform, coach), uid)).status).toBe(201);
    }
    return coach;
  }

  it("names no usual time while there are few answers", async () => {
    const platform = await open();
    await answerAfter(
      platform,
      Array.from({ length: 9 }, () => 20),
    );
    const person = await subscriber(platform);
    expect(await factsFor(platform, person)).toEqual({ answerMinutes: null, takesBirth: true });
  });

  it("names the time within which half of the answers came", async () => {
    const platform = await open();
    await answerAfter(platform, [10, 10, 10, 20, 30, 40, 50, 60, 70, 80]);
    expect((await factsFor(platform, await subscriber(platform))).answerMinutes).toBe(40);
  });

  it("counts the first answer of a discussion alone, and no note", async () => {
    const platform = await open();
    const coach = await newCoach(platform);
    for (let n = 0; n < 10; n++) {
      const uid = await begin(platform, await subscriber(platform));
      await answer(platform, coach, uid, { internal: true });
      platform.clock.advance(5 * MINUTE_MS);
      await answer(platform, coach, uid);
      platform.clock.advance(5 * MINUTE_MS);
      await answer(platform, coach, uid, { message: "Encore un mot" });
      await setStatus(platform, coach, uid, "closed");
    }
    expect((await factsFor(platform, await subscriber(platform))).answerMinutes).toBe(5);
  });

  it("forgets all but the last thirty answers", async () => {
    const platform = await open();
    const { database, clock } = platform;
    await answerAfter(
      platform,
      Array.from({ length: 10 }, () => 10),
    );
    const old = await database.selectFrom("ticket").selectAll().execute();
    const copies = [1, 2, 3].flatMap((round) =>
      old.map((row, n) => ({
        ...row,
        uid: `${round}${n}${row.uid.slice(2)}`,
        created_at: clock.now().toISOString(),
        first_answered_at: new Date(clock.now().getTime() + 90 * MINUTE_MS).toISOString(),
      })),
    );
    await database.insertInto("ticket").values(copies).execute();
    expect((await factsFor(platform, await subscriber(platform))).answerMinutes).toBe(90);
  });
});
