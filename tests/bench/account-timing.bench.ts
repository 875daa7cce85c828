import { expect, it } from "vitest";
import { newAddress, newPerson } from "../platform/funnel";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { median, millisecondsOf, rounded, spread } from "./samples";

const PAIRS = 200;
const WARM_UP = 20;
/** So many that no limit is met. */
const PEOPLE = 20;

type Send = (platform: TestPlatform, identifier: string) => Promise<{ status: number }>;

const send = (platform: TestPlatform, line: string, body: object) =>
  platform.call(line, { headers: { "x-client-address": newAddress() }, body });

const calls: Record<string, Send> = {
  login: (platform, identifier) =>
    send(platform, "POST /auth_check", { identifier, password: "au hasard" }),
  reset: (platform, identifier) => send(platform, "POST /reset-password/request", { identifier }),
  // Its answer tells who has an account; here is what its time tells.
  registration: (platform, identifier) =>
    send(platform, "POST /registrations/register", {
      identifier,
      formula: "vip-mensuel",
      password: "une orbite",
    }),
};

onEachDatabase("the time of an answer", (open) => {
  it.each(Object.entries(calls))("of %s tells nothing about an account", async (name, call) => {
    const platform = await open();
    const times = await measure(platform, call);
    const [known, unknown] = [median(times.known), median(times.unknown)];
    const noise = (spread(times.known) + spread(times.unknown)) / 2;
    const figures = {
      knownMs: rounded(known),
      unknownMs: rounded(unknown),
      noiseMs: rounded(noise),
      knownToUnknown: rounded(known / unknown),
      differenceToNoise: rounded(Math.abs(known - unknown) / noise),
    };
    const engine = platform.place.databaseUrl ? "PostgreSQL" : "SQLite";
    process.stdout.write(`${JSON.stringify({ call: name, engine, pairs: PAIRS, ...figures })}\n`);
    expect(Math.abs(known - unknown)).toBeLessThan(noise);
  });

  /** One known, one unknown, in turns: what slows the machine slows both. */
  async function measure(platform: TestPlatform, call: Send) {
    const emails = [];
    for (let n = 0; n < PEOPLE; n++) emails.push((await newPerson(platform)).email);
    const times = { known: Array<number>(), unknown: Array<number>() };
    for (let pair = 0; pair < WARM_UP + PAIRS; pair++) {
      const known = emails[pair % PEOPLE] ?? "";
      const pairOf = { known, unknown: `${crypto.randomUUID()}@exemple.fr` };
      const order = pair % 2 ? (["known", "unknown"] as const) : (["unknown", "known"] as const);
      for (const kind of order) {
        const took = await millisecondsOf(() => call(platform, pairOf[kind]));
        if (pair >= WARM_UP) times[kind].push(took);
      }
      // What was put off is done between the answers, as long as it takes.
      await platform.runDueJobs();
    }
    return times;
  }
});
