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
