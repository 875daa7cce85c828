import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { main as contentCommand } from "../../server/cli/content";
import { main as formulasCommand } from "../../server/cli/formulas";
import { readIdentity } from "../../server/platform/content/identity";
import { recordTerms } from "../../server/platform/content/terms";
import { contentRevision, reviseContent } from "../../server/platform/database/content-revision";
import { FakeClock } from "../../server/platform/ports/clock";
import { articleFile, contentFolder, references } from "../support/content";
import { onEachDatabase, silent } from "../support/platform";
import { runCommand } from "./command";

afterEach(() => vi.unstubAllEnvs());

type Command = () => Promise<unknown>;

const TERMS = ["--name", "VIP annuel", "--amount", "89,00", "--period", "1 year"];

/** What an owner does while the site runs, in a process of its own with a connection of its own. */
const COMMANDS: [string, Command][] = [
  ["an import", () => runCommand(contentCommand, ["import", newFolder()])],
  ["the end of the demonstration", () => runCommand(contentCommand, ["retire-demo"])],
  ["a new formula", () => runCommand(formulasCommand, ["add", "vip-annuel", ...TERMS])],
  [
    "a changed formula",
    () => runCommand(formulasCommand, ["change", "vip-mensuel", "--amount", "12,90"]),
  ],
  ["a retired formula", () => runCommand(formulasCommand, ["retire", "vip-cashback"])],
];

function newFolder() {
  const { directory, remove } = contentFolder({ ...references, "articles/a.md": articleFile() });
  onTestFinished(remove);
  return directory;
}

onEachDatabase("what public pages show", (open) => {
  it.each(COMMANDS)("is another revision in each process after %s", async (_, run) => {
    const platform = await open({ jobs: true });
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    const before = platform.contentRevision();
    expect(await run()).toMatchObject({ code: 0, error: [] });
    await expect.poll(platform.contentRevision).not.toBe(before);
  });

  it("is another revision with a new version of the terms", async () => {
    const { database: db, clock } = await open();
    const revision = contentRevision({ db, clock, log: silent });
    const read = () => revision.refresh().then(revision.current);
    const before = await read();
    // Another seller: the terms name them.
    const known = readIdentity(undefined);
    await recordTerms({ db, clock, known });
    const after = await read();
    expect(after).not.toBe(before);
    await recordTerms({ db, clock, known });
    expect(await read()).toBe(after);
  });

  it("is read again after a fault, logged once", async () => {
    const { database: db, clock } = await open();
    const lines: string[] = [];
    const log = { ...silent, error: (_: object, message: string) => void lines.push(message) };
    const revision = contentRevision({ db, clock, log });
    await revision.refresh();
    const before = revision.current();
    await db.schema.alterTable("setting").renameTo("away").execute();
    revision.follow();
    onTestFinished(revision.stop);
    await expect.poll(() => lines).toHaveLength(1);
    await db.schema.alterTable("away").renameTo("setting").execute();
    await reviseContent(db);
    await expect.poll(revision.current).not.toBe(before);
    expect(lines).toEqual([expect.stringMatching(/^the revision of the content cannot be read/)]);
  });

  it("is another revision on each day in Paris", async () => {
    const { database: db } = await open();
    const clock = new FakeClock("2026-11-20T22:59:59.000Z");
    const revision = contentRevision({ db, clock, log: silent });
    const read = () => revision.refresh().then(revision.current);
    const before = await read();
    clock.advance(999);
    expect(await read()).toBe(before);
    clock.advance(1);
    expect(await read()).not.toBe(before);
  });
});
