import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { newSubject, reply, said, ticketLink, writeTicket } from "./conversation";
import { openJourneys } from "./journeys";

const { site, reader } = openJourneys();

const hydrated = (page: Page) => page.locator("[name=inPlace]").waitFor({ state: "attached" });

/**
 * The page of a ticket. `visits` has one entry for each time that it was asked for: how many requests for the
 * script `vendor`, which nothing works without, have failed there.
 */
async function openTicket(isBroken: (visit: number) => boolean) {
  const page = await reader();
  const link = await ticketLink(site(), await writeTicket(page, newSubject()));
  const visits: number[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) visits.push(0);
  });
  await page.route(/\/vendor-/, async (route) => {
    const visit = visits.length;
    if (!isBroken(visit)) return route.continue();
    await route.abort();
    visits[visit - 1] = (visits[visit - 1] ?? 0) + 1;
  });
  return { page, link, visits };
}

describe("a page whose script cannot be loaded (R-2.12)", () => {
  it("reloads itself, and works once the script is there", async () => {
    const { page, link, visits } = await openTicket((visit) => visit === 1);
    await page.goto(link, { waitUntil: "commit" });
    await hydrated(page);
    expect(visits).toEqual([expect.any(Number), 0]);
  });

  it("reloads itself once, and then stays plain HTML that works", async () => {
    const { page, link, visits } = await openTicket(() => true);
    await page.goto(link, { waitUntil: "commit" });
    await expect.poll(() => visits[1] ?? 0).toBeGreaterThan(0);
    expect(visits).toHaveLength(2);
    await reply(page, "Sans script");
    expect(await said(page)).toHaveLength(2);
  });

  it("stays as it is when something is typed in it", async () => {
    const { page, link, visits } = await openTicket(() => true);
    let release = () => {};
    const typed = new Promise<void>((resolve) => (release = resolve));
    // The page may ask twice, to preload the script and to run it.
    await page.route(/\/vendor-/, async (route) => {
      await typed;
      await route.fallback();
    });
    await page.goto(link, { waitUntil: "commit" });
    await page.locator("[name=message]").fill("Je commence à");
    const asked = page.waitForResponse(/latest\.json$/);
    release();
    await asked;
    await page.evaluate(() => new Promise(requestAnimationFrame));
    expect(await page.locator("[name=message]").inputValue()).toBe("Je commence à");
    expect(visits).toEqual([expect.any(Number)]);
  });
});
