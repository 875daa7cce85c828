import { afterEach, expect, it, vi } from "vitest";
import { main } from "../../server/cli/site";
import { importContent } from "../../server/platform/content/import";
import { contentFolder } from "../support/content";
import { onEachDatabase } from "../support/platform";
import { runCommand } from "./command";

afterEach(() => vi.unstubAllEnvs());

const home = (body: string) => `---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\n${body}\n`;

onEachDatabase("the command site", (open) => {
  it("notes a home page that promises a trial nobody gets", async () => {
    const { place, database } = await open();
    vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", place.dataDir);
    const notes = async (body: string) => {
      const { directory, remove } = contentFolder({ "pages/home.md": home(body) });
      await importContent(database, directory);
      remove();
      const { out } = await runCommand(main, ["check"]);
      return out.filter((line) => line.includes("a trial"));
    };
    expect(await notes("L’essai dure 7 jours.")).toEqual([]);
    await database
      .updateTable("formula")
      .set({ trial_amount: null, trial_duration: null, trial_duration_unit: null })
      .where("uid", "=", "vip-mensuel")
      .execute();
    expect(await notes("L’essai dure 7 jours.")).toEqual([
      'note: the page "home" speaks of a trial, and vip-mensuel has none',
    ]);
    expect(await notes("Essayer un petit changement.")).toEqual([]);
  });

  it("finds no trial in the home page of the demonstration", async () => {
    const { database } = await open();
    const page = await database
      .selectFrom("page")
      .select("body")
      .where("uid", "=", "home")
      .executeTakeFirstOrThrow();
    expect(page.body).not.toMatch(/\bessais?\b/i);
  });
});
