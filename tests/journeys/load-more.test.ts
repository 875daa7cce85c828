import type { Locator } from "playwright";
import { expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";
import { heading } from "./steps";

const { reader } = openJourneys();

const MORE = "Voir plus d’articles";

it("a double click appends the next page once", async () => {
  const page = await reader();
  await page.goto(paths.articles());
  await page.getByRole("link", { name: MORE }).dblclick();
  const cards = page.locator("[data-more-into] > *");
  await expect.poll(() => cards.count()).toBeGreaterThan(10);
  await page.waitForLoadState("networkidle");
  const addresses = await cards.evaluateAll((shown) =>
    shown.map((card) => card.querySelector("a")?.getAttribute("href")),
  );
  expect(addresses).toEqual([...new Set(addresses)]);
});

it("Back returns to the place in a list that was made longer", async () => {
  const page = await reader();
  await page.goto(paths.articles());
  const cards = page.locator("[data-more-into] > *");
  const first = await cards.count();
  await page.getByRole("link", { name: MORE }).click();
  await expect.poll(() => cards.count()).toBeGreaterThan(first);
  const shown = await cards.count();
  const card = cards
    .nth(first + 1)
    .getByRole("link")
    .first();
  const href = (await card.getAttribute("href")) ?? "";
  await card.click();
  await page.waitForURL((address) => address.pathname === href);
  await page.goBack();
  await expect.poll(() => cards.count()).toBe(shown);
  await expect.poll(() => isInSight(card)).toBe(true);
});

const isInSight = (card: Locator) =>
  card.evaluate((link) => {
    const { top, bottom } = link.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });

it.each([
  ["a page that asks to sign in", { body: "<main><h1>Se connecter</h1></main>" }],
  ["a page that could not be read", { status: 502, body: "<main><h1>Illisible</h1></main>" }],
])("a list does not end silently at %s", async (_, answer) => {
  const page = await reader();
  await page.goto(paths.articles());
  await page.route(/after=/, (route) => route.fulfill({ ...answer, contentType: "text/html" }));
  await page.getByRole("link", { name: MORE }).click();
  await page.waitForURL(/after=/);
  expect(await heading(page).innerText()).toMatch(/Se connecter|Illisible/);
});
