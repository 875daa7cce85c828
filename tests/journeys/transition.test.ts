import { expect, it } from "vitest";
import { paths } from "~/paths";
import { openJourneys } from "./journeys";

const { reader } = openJourneys();

/** Follows a link of the home page, and tells whether the browser shows one page turn into the next. */
async function followLink(reducedMotion: "reduce" | "no-preference") {
  const page = await reader({ reducedMotion });
  await page.addInitScript(() => {
    addEventListener("pagereveal", ({ viewTransition }) => {
      document.documentElement.dataset.transition = String(viewTransition !== null);
    });
  });
  await page.goto(paths.home());
  await page.getByRole("link", { name: "Contact" }).first().click();
  await page.waitForURL(`**${paths.contact()}`);
  return page.locator("html").getAttribute("data-transition");
}

it("one page turns into the next", async () => {
  expect(await followLink("no-preference")).toBe("true");
});

it("nothing moves for those who asked for less movement", async () => {
  expect(await followLink("reduce")).toBe("false");
});
