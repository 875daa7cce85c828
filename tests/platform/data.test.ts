import { afterEach, expect, it, vi } from "vitest";
import { main as data } from "../../server/cli/data";
import { wordsOf } from "../../server/platform/support/words";
import { onEachDatabase } from "../support/platform";
import { runCommand } from "./command";
import { bothCounts, inbox, newCoach } from "./desk";

afterEach(() => vi.unstubAllEnvs());

const run = (...argv: string[]) => runCommand(data, argv);

onEachDatabase("generated data", (open) => {
  it("is as many as asked, and consistent", async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const asked = ["--articles", "30", "--users", "7", "--tickets", "50", "--messages", "173"];
    const articles = await platform.call("GET /content/articles?length=100");
    expect(await run("generate", ...asked)).toMatchObject({ code: 0, error: [] });
    const { database } = platform;
    const tickets = await database.selectFrom("ticket").selectAll().execute();
    const messages = await database.selectFrom("ticket_message").selectAll().execute();
    expect([tickets.length, messages.length]).toEqual([50, 173]);
    expect(tickets.reduce((sum, { message_count }) => sum + message_count, 0)).toBe(173);
    for (const { uid, title, name, email } of tickets) {
      const said = messages.filter(({ ticket_uid }) => ticket_uid === uid);
      const rows = await database
        .selectFrom("ticket_word")
        .select("word")
        .where("ticket_uid", "=", uid)
        .execute();
      const words = wordsOf(title, name, email, ...said.map(({ content }) => content));
      expect(new Set(rows.map(({ word }) => word))).toEqual(new Set(words));
    }
    const [kept, counted] = await bothCounts(platform);
    expect(kept).toEqual(counted);
    const more = await platform.call("GET /content/articles?length=100");
    expect(more.body.payload.length - articles.body.payload.length).toBe(30);
    expect((await inbox(platform, await newCoach(platform))).page.hasNextPage).toBe(true);
    expect((await run("generate", "--users", "7")).code).toBe(0);
  });
});

it.each([
  [[]],
  [["generate"]],
  [["generate", "--tickets", "-1"]],
  [["generate", "--tickets", "beaucoup"]],
  [["generate", "--tickets", "10", "--messages", "9"]],
  [["generate", "--messages", "9"]],
  [["remove", "--tickets", "1"]],
  [["--unknown"]],
  [["generate", "--users", "-3"]],
])("the command data refuses %j in one line", async (argv) => {
  const { code, error } = await run(...argv);
  expect([code, error]).toEqual([1, [expect.stringMatching(/^[^\n]+$/)]]);
});

it("the command data explains itself", async () => {
  expect(await run("--help")).toMatchObject({ code: 0, error: [] });
});
