import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { newSubject } from "./conversation";
import { DESKTOP, openJourneys, PHONE, SCRIPTING } from "./journeys";
import { ARTICLE, press, subscribe } from "./steps";

const { reader } = openJourneys();

/** Room for a finger (WCAG 2.5.5). Browsers round fractions. */
const TARGET = 43.5;

async function boxOf(page: Page, selector: string) {
  const box = await page.locator(selector).first().boundingBox();
  if (!box) throw new Error(`Nothing is shown at ${selector}`);
  return box;
}

it.each([PHONE, { ...DESKTOP, width: 1280 }])(
  "the favorite button keeps away from the share row at %o",
  async (viewport) => {
    const page = await reader({ viewport, javaScriptEnabled: false });
    await subscribe(page);
    await page.goto(paths.article(ARTICLE));
    const favorite = await boxOf(page, "#favori");
    const share = await boxOf(page, "section.share");
    expect(share.y - favorite.y - favorite.height).toBeGreaterThanOrEqual(12);
    // One line of text.
    expect(favorite.height).toBeLessThan(45);
  },
);

it.each([
  [paths.article(ARTICLE), ".article__about p > a"],
  [paths.article(ARTICLE), ".article__heading > .cluster > a"],
  [paths.articles(), ".card__kicker a"],
  [paths.articles(), ".card__author"],
  [paths.login(), "main form p > a"],
])("of %s the link %s has the room of a finger", async (path, selector) => {
  const page = await reader();
  await page.goto(path);
  const { width, height } = await boxOf(page, selector);
  expect(Math.min(width, height)).toBeGreaterThan(TARGET);
});

it("the rows of a list are links from edge to edge", async () => {
  const page = await reader({ javaScriptEnabled: false });
  await subscribe(page);
  await writeToCoach(page);
  for (const path of [paths.accountPayments(), paths.coaching()]) {
    await page.goto(path);
    const { x, y, width, height } = await boxOf(page, ".rows > li");
    expect(height).toBeGreaterThan(TARGET);
    await page.mouse.click(x + width - 4, y + height - 4);
    await expect.poll(() => page.url()).toMatch(new RegExp(`${path}/[\\w-]+`));
  }
});

it("a receipt's number and breadcrumb break between words on a phone", async () => {
  const page = await reader({ viewport: PHONE, javaScriptEnabled: false });
  await subscribe(page);
  await page.goto(paths.accountPayments());
  await page.locator(".rows a").first().click();
  await page.locator("h1", { hasText: /-\w{4}$/ }).waitFor();
  const { lines, marksAtStart } = await page.evaluate(() => {
    const items = [...document.querySelectorAll(".breadcrumb__item")];
    const number = [...document.querySelectorAll("h1, h1 *")].at(-1)?.lastChild;
    const range = document.createRange();
    const text = number?.textContent ?? "";
    const word = text.split(/\s/).at(-1) ?? "";
    if (number) range.selectNode(number);
    if (number) range.setStart(number, text.length - word.length);
    const leftOf = (element: Element | null) => element?.getBoundingClientRect().left;
    return {
      lines: new Set(Array.from(range.getClientRects(), ({ top }) => top)).size,
      marksAtStart: items.filter((item) => leftOf(item) !== leftOf(item.firstElementChild)).length,
    };
  });
  expect({ lines, marksAtStart }).toEqual({ lines: 1, marksAtStart: 0 });
});

it("the name for the coaches is one field of the form without script", async () => {
  const page = await reader({ javaScriptEnabled: false });
  await subscribe(page);
  await page.goto(paths.coachingNewDiscussion());
  expect(await page.locator("main button:visible").allInnerTexts()).toEqual(["Envoyer au coach"]);
  await page.getByLabel("Prénom ou surnom (facultatif)").fill("Vega");
  await writeToCoach(page);
  await page.getByText("Un e\u2011mail vous prévient de la réponse.").first().waitFor();
  await page.goto(paths.account());
  expect(await page.locator("#profile-form-name").inputValue()).toBe("Vega");
});

it("large text stays within the cards of an account on a phone", async () => {
  const page = await reader({ javaScriptEnabled: false });
  await subscribe(page);
  await page.goto(paths.account());
  const outside = await page.evaluate(() => {
    document.documentElement.style.fontSize = "200%";
    return [...document.querySelectorAll(".panel")].flatMap((panel) => {
      const right =
        panel.getBoundingClientRect().right - parseFloat(getComputedStyle(panel).paddingRight);
      return [...panel.querySelectorAll("*")]
        .filter((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          return (
            Math.max(range.getBoundingClientRect().right, element.getBoundingClientRect().right) >
            right
          );
        })
        .map(({ textContent }) => textContent);
    });
  });
  expect(outside).toEqual([]);
});

async function writeToCoach(page: Page) {
  if (!page.url().includes(paths.coachingNewDiscussion())) {
    await page.goto(paths.coachingNewDiscussion());
  }
  const subject = newSubject();
  await page.locator("[name=subject]").fill(subject);
  await page.locator("[name=message]").fill("Que dit mon ascendant ?");
  await page.locator("[name=consent]").check();
  await press(page, "Envoyer au coach");
  await page.getByRole("heading", { level: 1, name: subject }).waitFor();
}

describe.each(SCRIPTING)("on a phone %s", (_, javaScriptEnabled) => {
  it("the button that applies the filters stays in sight, and covers no focus", async () => {
    const page = await reader({ javaScriptEnabled });
    await page.goto(paths.articles({ tags: ["lune"], authors: ["malik-berrada"] }));
    await page.locator("summary", { hasText: "Filtrer" }).click();
    const bar = page.locator(".filter__bar");
    const apply = bar.getByRole("button");
    const boxes = page.locator(".filter input:visible");
    expect(await boxes.count()).toBeGreaterThan(20);
    for (const box of await boxes.all()) {
      await box.focus();
      const [focus, cover, button] = await Promise.all([
        box.boundingBox(),
        bar.boundingBox(),
        apply.boundingBox(),
      ]);
      expect(button && button.y + button.height).toBeLessThanOrEqual(PHONE.height);
      expect(focus && focus.y + focus.height).toBeLessThanOrEqual(cover?.y ?? 0);
    }
  });
});
