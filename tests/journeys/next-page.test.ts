import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";

const { reader } = openJourneys();

const RULES = 'script[type="speculationrules"]';

type Connection = { saveData?: boolean; effectiveType?: string };

/** Opens a page, lets two seconds pass, and gives what the browser is told to fetch. */
async function fetchedAt(path: string, connection: Connection = {}) {
  const page = await reader();
  await page.addInitScript((given) => {
    Object.defineProperty(navigator, "connection", { value: given });
  }, connection);
  await page.clock.install();
  await page.goto(path, { waitUntil: "load" });
  expect(await page.locator(RULES).count()).toBe(0);
  // The enhancements of a page run once it is parsed.
  await page.waitForFunction(() => document.readyState === "complete");
  await page.clock.fastForward(2_000);
  const rules = await page.locator(RULES).allTextContents();
  return rules.flatMap((text): string[] => {
    const { prefetch } = JSON.parse(text) as { prefetch: { urls: string[] }[] };
    return prefetch.flatMap(({ urls }) => urls.map((url) => new URL(url).pathname));
  });
}

describe("the likely next page", () => {
  it.each([paths.home(), paths.articles(), "/article/lire-son-theme-natal"])(
    "is one article, a second after %s has loaded",
    async (path) => {
      const fetched = await fetchedAt(path);
      expect(fetched).toEqual([expect.stringMatching(/^\/article\/[\w-]+$/)]);
      expect(fetched).not.toContain(path);
    },
  );

  it.each([paths.login(), paths.registration(), paths.contact(), paths.withdrawal()])(
    "is none on %s",
    async (path) => expect(await fetchedAt(path)).toEqual([]),
  );

  it.each([{ saveData: true }, { effectiveType: "2g" }, { effectiveType: "slow-2g" }])(
    "is not fetched with %j",
    async (connection) => expect(await fetchedAt(paths.articles(), connection)).toEqual([]),
  );

  it("is there when its link is followed", async () => {
    const page = await reader();
    const followed = async () => {
      await page.goto(paths.articles());
      await page.locator(RULES).waitFor({ state: "attached" });
      await page.locator("[data-next-page] a").first().click();
      await page.waitForURL("**/article/*");
      return page.evaluate(() => {
        const [entry] = performance.getEntriesByType("navigation");
        return (entry as PerformanceNavigationTiming & { deliveryType?: string }).deliveryType;
      });
    };
    await expect.poll(followed).toBe("navigational-prefetch");
  });
});
