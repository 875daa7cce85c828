import { expect, it } from "vitest";
import { createRandom } from "../../server/cli/generate/random";
import { generateTickets } from "../../server/cli/generate/tickets";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { newCoach } from "../platform/desk";
import { compare } from "./time";

/** Rows of the large side: `BENCH_TICKETS=100000 npm run bench -- thread` for a quicker look. */
const TICKETS = Number(process.env.BENCH_TICKETS ?? 1_000_000);
const MESSAGES = 100_000;
const BOUND = 1.5;
/** To fill the large side takes minutes. */
const TIMEOUT_MS = 1_800_000;

const LISTS = {
  all: "",
  "of a status": "?status=waiting",
  active: "?status=active&type=contact",
  "of nobody": "?assignee=none&status=active",
  "with a word": "?query=saturne",
  "with two words": "?query=saturne%20lune",
  "with a beginning": "?query=sat",
};

onEachDatabase("as fast in a large house as in a small one", (open) => {
  it(
    `the last page of a thread of ${MESSAGES} messages`,
    async () => {
      const platform = await open();
      const coach = await newCoach(platform);
      const small = await threadIn(platform, 10);
      const large = await threadIn(platform, MESSAGES);
      const read = (uid: string) => () =>
        platform.call(`GET /desk/tickets/${uid}`, { token: coach.token });
      const figures = await compare(read(small), read(large));
      print("thread", "last page", figures);
      expect(figures.ratio).toBeLessThan(BOUND);
    },
    TIMEOUT_MS,
  );

  it(
    `the desk among ${TICKETS} tickets`,
    async () => {
      const [small, large] = [await deskOf(open, 1_000), await deskOf(open, TICKETS)];
      const ratios: Record<string, number> = {};
      for (const [name, query] of Object.entries(LISTS)) {
        const figures = await compare(
          () => small(`/desk/tickets${query}`),
          () => large(`/desk/tickets${query}`),
        );
        print("desk", name, figures);
        ratios[name] = figures.ratio;
      }
      const counts = await compare(
        () => small("/desk/counts"),
        () => large("/desk/counts"),
      );
      print("desk", "counts", counts);
      const { all, active, "of a status": byStatus, "of nobody": byNobody } = ratios;
      for (const ratio of [all, active, byStatus, byNobody, counts.ratio]) {
        expect(ratio).toBeLessThan(BOUND);
      }
    },
    TIMEOUT_MS,
  );
});

async function threadIn(platform: TestPlatform, messages: number): Promise<string> {
  await fill(platform, 1, messages);
  const { uid } = await platform.database
    .selectFrom("ticket")
    .select("uid")
    .where("message_count", "=", messages)
    .executeTakeFirstOrThrow();
  return uid;
}

async function deskOf(open: OpenPlatform, tickets: number) {
  const platform = await open();
  const coach = await newCoach(platform);
  await fill(platform, tickets, tickets);
  return (path: string) => platform.call(`GET ${path}`, { token: coach.token });
}

function fill({ database: db, clock }: TestPlatform, tickets: number, messages: number) {
  const options = { db, random: createRandom(1), now: clock.now(), users: [] };
  return generateTickets(options, tickets, messages);
}

function print(bench: string, what: string, figures: object) {
  process.stdout.write(`${JSON.stringify({ bench, what, ...figures })}\n`);
}
