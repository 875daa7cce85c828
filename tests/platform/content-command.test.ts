import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { main } from "../../server/cli/content";
import { articleFile, contentFolder, references, type Files } from "../support/content";
import { photo } from "../support/images";

const cleanups: (() => void)[] = [];
const out: string[] = [];
const errors: string[] = [];

beforeEach(() => {
  vi.spyOn(console, "log").mockImplementation((text) => out.push(text));
  vi.spyOn(console, "error").mockImplementation((text) => errors.push(text));
  vi.stubEnv("DATABASE_URL", undefined);
  vi.stubEnv("DATA_DIR", folder());
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const said of [out, errors, cleanups.splice(0).map((cleanup) => cleanup())]) said.length = 0;
});

function folder(files: Files = {}) {
  const { directory, remove } = contentFolder(files);
  cleanups.push(remove);
  return directory;
}

test("exported content equals the imported content", async () => {
  expect(await main(["import", "server/content"])).toBe(0);
  const target = folder();
  expect(await main(["export", target])).toBe(0);
  const sources = files("server/content").filter((path) => !path.endsWith(".yaml"));
  expect(sources.length).toBeGreaterThan(50);
  for (const path of sources) {
    expect(readFileSync(join(target, path), "utf8"), path).toBe(
      readFileSync(join("server/content", path), "utf8"),
    );
  }
  expect(await main(["check", target])).toBe(0);
  expect(out.at(-1)).toContain("redirection 3");
});

test("images are imported and exported with the texts that show them", async () => {
  const text = "![La Lune](/medias/lune.jpg)";
  const lune = await photo({ width: 60, height: 40, orientation: 6 });
  const source = { ...references, "articles/a.md": articleFile({}, text), "medias/lune.jpg": lune };
  expect(await main(["import", folder(source)])).toBe(0);
  expect(out.at(-1)).toMatch(/, image 1$/);
  const target = folder();
  expect(await main(["export", target])).toBe(0);
  const exported = await sharp(join(target, "medias/lune.jpg")).metadata();
  expect([exported.width, exported.height, exported.exif]).toEqual([40, 60, undefined]);
  expect(await main(["check", target])).toBe(0);
});

test("an image that is missing or broken is named with its file", async () => {
  const text = "![La Lune](/medias/lune.jpg)";
  const directory = folder({
    ...references,
    "articles/a.md": articleFile({}, text),
    "medias/mars.jpg": "Bonjour",
  });
  expect(await main(["check", directory])).toBe(1);
  const [missing, broken] = errors[0]?.split("\n") ?? [];
  expect(missing).toBe(`${directory}/articles/a.md:11: there is no image "lune.jpg"`);
  expect(broken).toContain(`${directory}/medias/mars.jpg:1: is broken`);
});

test("faults are printed one per line, exit code 1", async () => {
  const directory = folder({ ...references, "articles/a.md": articleFile({ tags: ["x", "y"] }) });
  expect(await main(["check", directory])).toBe(1);
  const file = join(directory, "articles", "a.md");
  expect(errors).toEqual([`${file}:6: there is no tag "x"\n${file}:6: there is no tag "y"`]);
});

test("what is not published is listed with its links", async () => {
  vi.stubEnv("SITE_URL", "https://cap.example");
  const files = {
    ...references,
    "articles/aube.md": articleFile({ draft: true }),
    "articles/nuit.md": articleFile({ date: "2099-01-01T08:00:00Z" }),
    "articles/jour.md": articleFile(),
  };
  expect(await main(["import", folder(files)])).toBe(0);
  out.length = 0;
  expect(await main(["drafts"])).toBe(0);
  expect(out).toEqual([
    expect.stringMatching(
      /^aube: draft, https:\/\/cap\.example\/drafts\/aube\?token=\d+\.[\w-]{43}$/,
    ),
    expect.stringMatching(
      /^nuit: 2099-01-01T08:00:00\.000Z, https:\/\/cap\.example\/drafts\/nuit\?/,
    ),
  ]);
});

test("a whole folder is checked without a database", async () => {
  expect(await main(["check", "server/content"])).toBe(0);
  expect(readdirSync(process.env.DATA_DIR ?? "")).toEqual([]);
});

test.each([
  [[], /import, export, check, drafts or retire-demo/],
  [["publish", "x"], /import, export, check, drafts or retire-demo/],
  [["import"], /takes one folder/],
  [["import", "a", "b"], /takes one folder/],
  [["import", "--force", "a"], /--force/],
  [["import", "/nowhere/at/all"], /\/nowhere\/at\/all:1: no folder to read/],
])("bad input %j fails in one line", async (argv, message) => {
  expect(await main(argv)).toBe(1);
  expect(errors).toEqual([expect.stringMatching(message)]);
  expect(errors[0]).not.toContain("\n");
});

test("help says how, exit code 0", async () => {
  expect(await main(["--help"])).toBe(0);
  expect(out.join()).toContain("npm run content");
});

function files(directory: string) {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(directory.length + 1));
}

const termsFor = (applies: string) => ({
  "pages/terms-of-service.md": `---\ntitle: T\nsummary: S\ndate: 2026-01-01\napplies: ${applies}\n---\n\nA.\n`,
});

test.each(["9999-12-31", "2199-01-01"])("terms that count from %s are refused", async (day) => {
  const directory = folder(termsFor(day));
  expect(await main(["import", directory])).toBe(1);
  const file = join(directory, "pages", "terms-of-service.md");
  expect(errors).toEqual([`${file}:5: applies: ${day} is more than 2 years ahead`]);
});

test.each(["0000-01-01", "2020-01-01"])("terms that count from %s are imported", async (day) => {
  const directory = folder(termsFor(day));
  expect(await main(["import", directory])).toBe(0);
  const file = join(directory, "pages", "terms-of-service.md");
  expect(out[0]).toContain(`${file}:5: applies: ${day} has passed`);
});

test("one file is imported without the others", async () => {
  expect(await main(["import", "server/content"])).toBe(0);
  const privacy = "---\ntitle: Le mien\nsummary: S\ndate: 2026-01-01\n---\n\nA.\n";
  expect(await main(["import", folder({ "pages/privacy.md": privacy })])).toBe(0);
  expect(out.at(-1)).toContain("article 0, author 0, category 0, tag 0, page 1");
  const target = folder();
  expect(await main(["export", target])).toBe(0);
  expect(readFileSync(join(target, "pages", "privacy.md"), "utf8")).toBe(privacy);
  expect(files(target).filter((path) => !path.endsWith(".yaml"))).toHaveLength(
    files("server/content").filter((path) => !path.endsWith(".yaml")).length,
  );
});
