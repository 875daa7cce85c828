import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { newPage, newPerson, paymentLink, post, rolesOf, signIn, type Person } from "./funnel";
import {
  back,
  DAY_MS,
  loseCard,
  mailsTo,
  newestMail,
  passDays,
  passTo,
  subscriber,
  subscriptionOf,
} from "./life";

const END = "2026-11-27T10:00:00.000Z";
const GRACE_END = "2026-12-04T10:00:00.000Z";

onEachDatabase("a contract that ran out before its job ran", (open) => {
  const unsubscribe = (platform: TestPlatform, { token }: Person) =>
    platform.call("POST /subscriptions/unsubscribe", { token, body: {} });

  const endsOf = async (platform: TestPlatform, { email }: Person) =>
    (await mailsTo(platform, email)).filter((line) => line.endsWith(" ended"));

  /** Stopped, and over a second ago. */
  async function stopped() {
    const platform = await open();
    const person = await subscriber(platform);
    await unsubscribe(platform, person);
    await platform.runDueJobs();
    platform.clock.advance(7 * DAY_MS + 1000);
    return { platform, person: await back(platform, person) };
  }

  it("is ended completely by a page request", async () => {
    const { platform, person } = await stopped();
    expect((await paymentLink(platform, person)).status).toBe(409);
    expect(await subscriptionOf(platform, person)).toMatchObject({ ended_at: END });
    await platform.runDueJobs();
    expect(await endsOf(platform, person)).toHaveLength(1);
    expect((await newestMail(platform, person.email)).text).toContain("Suppression du profil");
    await passDays(platform, 2);
    expect((await signIn(platform, person.email)).status).toBe(401);
    expect(await endsOf(platform, person)).toHaveLength(0);
  });

  it("and was stopped frees its e-mail at once", async () => {
    const { platform, person } = await stopped();
    await paymentLink(platform, person);
    const register = { identifier: person.email, formula: "vip-mensuel", password: "une-orbite" };
    await platform.call("POST /registrations/register", { body: register });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = /registration\/release\?token=(\S+)/.exec(text)?.[1] ?? "";
    const released = await platform.call("POST /registrations/release", { body: { token } });
    expect(released.body.payload).toEqual({ status: "released" });
    const again = await newPerson(platform, person.email);
    await post(platform, await newPage(platform, again));
    expect(await rolesOf(platform, again)).toEqual({ vip: true });
  });

  it("unpaid is mailed once and can be replaced", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passTo(platform, "2026-12-04T09:00:00.000Z");
    platform.clock.advance(3_601_000);
    const again = await back(platform, person);
    await post(platform, await newPage(platform, again));
    expect(await rolesOf(platform, await back(platform, person))).toEqual({ vip: true });
    await passDays(platform, 5);
    expect(await endsOf(platform, person)).toEqual(["2026-12-04T10:00:01.000Z ended"]);
    const ended = await platform.database
      .selectFrom("subscription")
      .select("ended_at")
      .where("ended_at", "is not", null)
      .execute();
    expect(ended).toEqual([{ ended_at: GRACE_END }]);
  });
});
