import type { Page } from "playwright";
import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";
import { ARTICLE, subscribe } from "./steps";

const { reader } = openJourneys();

const isPrinted = (page: Page, selector: string) => page.locator(selector).first().isVisible();

/** Whether a colour is dark. Paper is white, and what is white on the screen would not be seen. */
const isDark = (page: Page, selector: string) =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const parts = getComputedStyle(element).color.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
      return parts.length === 3 && parts.every((part) => part < 128);
    });

describe("on paper", () => {
  it("an article has the site's name, and nothing to follow or fill in", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.article(ARTICLE));
    expect(await isPrinted(page, ".card")).toBe(true);
    expect(await isDark(page, ".site-header__brand")).toBe(false);
    await page.emulateMedia({ media: "print" });
    expect(await isPrinted(page, ".prose")).toBe(true);
    expect(await isPrinted(page, ".site-header__brand")).toBe(true);
    expect(await isDark(page, ".site-header__brand")).toBe(true);
    expect(await isDark(page, "h1")).toBe(true);
    for (const selector of [".card", "form", ".site-footer", ".article__tags", ".share"]) {
      const shown = page.locator(`${selector}:visible`);
      expect(await shown.count(), selector).toBe(0);
    }
  });

  it("a receipt fills one page", async () => {
    const page = await reader();
    await subscribe(page);
    await page.goto(paths.accountPayments());
    await page.locator("main a[href^='/account/payments/']").first().click();
    await page.locator(".receipt").waitFor();
    const pdf = await page.pdf({ format: "A4", preferCSSPageSize: true });
    expect(pdf.toString("latin1").match(/\/Type \/Page\b(?!s)/g)).toHaveLength(1);
    await page.emulateMedia({ media: "print" });
    expect(await isPrinted(page, ".site-header")).toBe(false);
    expect(await page.locator("form:visible, .button:visible").count()).toBe(0);
  });
});
