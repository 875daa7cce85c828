import type { Page } from "playwright";
import { expect, it } from "vitest";
import { paths } from "~/paths";
import { DESKTOP, openJourneys, PHONE } from "./journeys";
import { ARTICLE, subscribe } from "./steps";

const { reader } = openJourneys();

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
    expect(favorite.height).toBeLessThan(50);
  },
);
