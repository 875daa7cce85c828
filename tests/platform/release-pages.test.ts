import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { importContent } from "../../server/platform/content/import";
import { main as site } from "../../server/cli/site";
import { contentFolder, references, type Files } from "../support/content";
import { onEachDatabase, type OpenPlatform, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";

const cleanups: (() => void)[] = [];
afterEach(() => {
  cleanups.splice(0).forEach((cleanup) => cleanup());
  vi.unstubAllEnvs();
});

function folder(files: Files) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

const page = (text: string) =>
  `---\ntitle: Vie privée\nsummary: S\ndate: 2026-01-01\n---\n\n${text}\n`;
const release = (text: string) => folder({ ...references, "pages/privacy.md": page(text) });

const textOf = async ({ call }: TestPlatform): Promise<string> =>
  (await call("GET /content/pages/privacy")).body.payload.body;

onEachDatabase("the pages of a new release", (open: OpenPlatform) => {
  const warnings: unknown[] = [];
  const log = { info() {}, error() {}, warn: (fields: unknown) => void warnings.push(fields) };

  /** The same database with the next release. */
  async function upgrade(platform: TestPlatform, text: string) {
    await platform.close();
    warnings.length = 0;
    return open({ ...platform.place, contentDir: release(text), log });
  }

  beforeEach(() => void (warnings.length = 0));

  const DIFFERS = { pages: ["privacy"] };

  test("replace those that nobody changed", async () => {
    const platform = await open({ contentDir: release("Un an.") });
    const next = await upgrade(platform, "Trois ans.");
    expect(await textOf(next)).toContain("Trois ans.");
    expect(warnings).not.toContainEqual(DIFFERS);
    expect(await textOf(await upgrade(next, "Six ans."))).toContain("Six ans.");
  });

  test("are not undone by an earlier release that starts again", async () => {
    const platform = await open({ contentDir: release("Un an.") });
    const newer = await upgrade(platform, "Trois ans.");
    const earlier = await upgrade(newer, "Un an.");
    expect(await textOf(earlier)).toContain("Trois ans.");
    expect(warnings).toContainEqual({ pages: ["privacy"] });
    const again = await upgrade(earlier, "Trois ans.");
    expect(warnings).not.toContainEqual({ pages: ["privacy"] });
    expect(await textOf(await upgrade(again, "Six ans."))).toContain("Six ans.");
  });

  test("spare a changed one, and say so until it is compared", async () => {
    const platform = await open({ contentDir: release("Un an.") });
    await importContent(platform.database, folder({ "pages/privacy.md": page("Les miens.") }));
    const same = await upgrade(platform, "Un an.");
    expect(warnings).not.toContainEqual(DIFFERS);
    let next = await upgrade(same, "Trois ans.");
    expect(await textOf(next)).toContain("Les miens.");
    expect(warnings).toContainEqual(DIFFERS);
    next = await upgrade(next, "Trois ans.");
    expect(warnings).toContainEqual(DIFFERS);
    await importContent(next.database, folder({ "pages/privacy.md": page("Les miens : trois.") }));
    next = await upgrade(next, "Trois ans.");
    expect(warnings).not.toContainEqual(DIFFERS);
    await upgrade(next, "Six ans.");
    expect(warnings).toContainEqual(DIFFERS);
  });

  test("spare one of unknown origin", async () => {
    const platform = await open({ contentDir: release("Un an.") });
    await platform.database
      .updateTable("seed_entry")
      .set({ seeded: null, offered: null })
      .where("name", "=", "page privacy")
      .execute();
    expect(await textOf(await upgrade(platform, "Trois ans."))).toContain("Un an.");
    expect(warnings).toContainEqual(DIFFERS);
  });

  test("leave the owner's own content alone", async () => {
    const ownContentDir = folder({ ...references, "pages/privacy.md": page("Les miens.") });
    const platform = await open({ contentDir: release("Un an."), ownContentDir });
    await platform.close();
    const next = await open({
      ...platform.place,
      contentDir: release("Trois."),
      ownContentDir,
      log,
    });
    expect(await textOf(next)).toContain("Les miens.");
    expect(warnings).not.toContainEqual(DIFFERS);
  });

  test("are listed by the check of the site", async () => {
    const platform = await open({ contentDir: release("Un an.") });
    await importContent(platform.database, folder({ "pages/privacy.md": page("Les miens.") }));
    const { place, close } = await upgrade(platform, "Trois ans.");
    await close();
    vi.stubEnv("DATA_DIR", place.dataDir);
    vi.stubEnv("DATABASE_URL", place.databaseUrl);
    vi.stubEnv("IDENTITY_FILE", "tests/support/identity.yaml");
    const { code, out } = await runCommand(site, ["check"]);
    expect(code).toBe(1);
    expect(out.join("\n")).toContain('the page "privacy" differs from the text of this release');
  });
});
