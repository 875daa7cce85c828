import { statSync } from "node:fs";
import type { Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { filesBelow } from "../architecture/sources";
import { FORM_PAGES } from "./form-pages";
import { openJourneys } from "./journeys";
import { newResetLink } from "./reset-link";
import { subscribe, touch } from "./steps";
import { countTraffic } from "./traffic";

const { site, reader } = openJourneys();

const KB = 1024;
const FORM_PAGE = { bytes: 36 * KB, requests: 7, script: 4 * KB, scriptAfterTouch: 90 * KB };

/** An article is not in its 30 KB yet. */
const CONTENT_PAGES = [
  [paths.home(), 33],
  [paths.articles(), 31],
  [paths.contact(), 26],
] as const;

let session: Awaited<ReturnType<ReturnType<Page["context"]>["storageState"]>>;
let resetLink: Promise<string> | undefined;
beforeAll(async () => {
  const page = await reader();
  await subscribe(page);
  session = await page.context().storageState();
});

/** A form page at its address; without its secret the page of a mailed link has no form. */
async function addressOf(path: string): Promise<string> {
  if (path !== serverPaths.resetPasswordUpdate()) return path;
  return (resetLink ??= newResetLink(site(), await reader()));
}

it.each(FORM_PAGES)("$path stays in its budget", async ({ path, secured }) => {
  const page = await reader(secured ? { storageState: session } : {});
  const traffic = await countTraffic(page);
  await page.goto(await addressOf(path));
  await page.waitForLoadState("networkidle");
  expect(traffic.bytes()).toBeLessThanOrEqual(FORM_PAGE.bytes);
  expect(traffic.requests()).toBeLessThanOrEqual(FORM_PAGE.requests);
  expect(traffic.scriptBytes()).toBeLessThanOrEqual(FORM_PAGE.script);
  await touch(page);
  await page.waitForLoadState("networkidle");
  expect(traffic.scriptBytes()).toBeLessThanOrEqual(FORM_PAGE.scriptAfterTouch);
});

it.each(CONTENT_PAGES)("%s arrives in %i KB once the site keeps it", async (path, budget) => {
  const bytesOf = async () => {
    const page = await reader();
    const traffic = await countTraffic(page);
    await page.goto(path);
    await page.waitForLoadState("networkidle");
    await page.close();
    return traffic.bytes();
  };
  // The first visitors get what is compressed in a hurry.
  await expect.poll(bytesOf).toBeLessThanOrEqual(budget * KB);
});

describe("the built files", () => {
  const largest = (files: readonly string[]) =>
    Math.max(...files.map((file) => statSync(file).size));

  it("have a style sheet of 7.5 KB", () => {
    const styles = filesBelow("build/client/assets", /\.css\.br$/);
    expect(styles).toHaveLength(1);
    expect(largest(styles)).toBeLessThanOrEqual(7.5 * KB);
  });

  it("have a font of 13.5 KB", () => {
    const fonts = filesBelow("build/client/fonts", /\.woff2$/);
    expect(fonts).toHaveLength(1);
    expect(largest(fonts)).toBeLessThanOrEqual(13.5 * KB);
  });
});
