import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";
import { ARTICLE, touch } from "./steps";
import { watch } from "./watch";

const { site, reader } = openJourneys();

const PAGES = [
  paths.home(),
  paths.articles(),
  paths.article(ARTICLE),
  paths.registration(),
  paths.login(),
];

const FORM_PAGES = [paths.registration(), paths.login()];

/** The only elements that a script may add to a page. The test waits for them. */
const ADDITIONS: Record<string, string> = {
  [paths.article(ARTICLE)]: "Copier le lien",
  [paths.registration()]: "Afficher",
  [paths.login()]: "Afficher",
};

const WIDTHS = [320, 360, 600, 960, 1280, 1920];

async function waitForAddition(page: Page, path: string) {
  if (FORM_PAGES.includes(path)) await touch(page);
  const addition = ADDITIONS[path];
  if (addition) await page.getByRole("button", { name: addition }).waitFor();
}

/** Pages are translated in place with script, and by the provider's own address without. */
const TRANSLATION = /^\s*- \/url: \/translation\?|^\s*- \/url: https:\/\/translate\./;

/** The page as assistive technology sees it: names, roles, links, fields, text. */
async function seen(page: Page, path: string) {
  const tree = await page.locator("body").ariaSnapshot();
  const isOther = (line: string) =>
    line.trim().startsWith(`- button "${ADDITIONS[path]}"`) || TRANSLATION.test(line);
  return { title: await page.title(), tree: tree.split("\n").filter((line) => !isOther(line)) };
}

describe.each(PAGES)("the page %s", (path) => {
  let on: Page;
  let off: Page;
  let complaints: string[];
  beforeAll(async () => {
    [on, off] = await Promise.all([reader(), reader({ javaScriptEnabled: false })]);
    complaints = watch(on, site().origin);
    await Promise.all([on.goto(path), off.goto(path)]);
  });

  it("says the same with and without JavaScript", async () => {
    const whole = await seen(off, path);
    expect(whole.tree.length).toBeGreaterThan(20);
    if (FORM_PAGES.includes(path)) expect(await seen(on, path)).toEqual(whole);
    await waitForAddition(on, path);
    expect(await seen(on, path)).toEqual(whole);
  });

  it("loads without errors or third-party requests", async () => {
    await waitForAddition(on, path);
    expect(complaints).toEqual([]);
  });

  it("fits every width from phone to large screen", async () => {
    for (const page of [on, off]) {
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        const needed = await page.evaluate(() => document.documentElement.scrollWidth);
        expect(needed, `at ${width}`).toBeLessThanOrEqual(width);
      }
    }
  });
});

it("every character arrives in pages of any length", async () => {
  // Each length shifts the renderer's buffer boundaries by one byte.
  for (let length = 1; length <= 200; length++) {
    const page = await fetch(site().origin + paths.login(paths.article("a".repeat(length))));
    expect(await page.text(), `at ${length}`).not.toMatch(/[\0\uFFFD]/);
  }
});
