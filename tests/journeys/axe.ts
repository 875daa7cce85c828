import axe from "axe-core";
import type { Page } from "playwright";
import { DESKTOP, PHONE } from "./journeys";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/**
 * Checks WCAG 2.2 A and AA on a phone and on a desktop. Returns each violation with its first
 * element.
 */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  // The script is evaluated, because the page's Content-Security-Policy forbids a script element.
  await page.evaluate(axe.source);
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    const { violations } = await page.evaluate(
      (tags) =>
        (window as unknown as { axe: typeof axe }).axe.run({
          runOnly: { type: "tag", values: tags },
          resultTypes: ["violations"],
        }),
      TAGS,
    );
    for (const { id, nodes } of violations) {
      found.push(`${viewport.width} ${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`);
    }
  }
  await page.setViewportSize(PHONE);
  return found;
}

const MINIMUM = 44;

/** Buttons and form controls that are too small to touch. A checkbox is measured with its label. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((minimum) => {
    const controls = document.querySelectorAll<HTMLElement>(
      "button, summary, a.button, a.chip, select, textarea, input:not([tabindex='-1'])",
    );
    return [...controls].flatMap((control) => {
      const isChoice = control.matches("[type=checkbox], [type=radio]");
      const touched = isChoice ? document.querySelector(`label[for="${control.id}"]`) : control;
      const { width, height } = (touched ?? control).getBoundingClientRect();
      const isShown = control.checkVisibility() && width > 0;
      return isShown && Math.min(width, height) < minimum
        ? [`${control.outerHTML.slice(0, 120)} ${width}×${height}`]
        : [];
    });
  }, MINIMUM);
}
