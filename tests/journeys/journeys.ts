import type { Browser, BrowserContextOptions, LaunchOptions, Page } from "playwright";
import { afterAll, beforeAll } from "vitest";
import { frenchReader, launchBrowser } from "../support/browser";
import { startSite, type Site } from "../support/site";

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1360, height: 900 };

/** Every journey is written once and runs twice: with and without script. */
export const SCRIPTING = [
  ["with JavaScript", true],
  ["without JavaScript", false],
] as const;

const PATIENCE_MS = 40_000;

type Journeys = {
  launch?: LaunchOptions;
  /** Variables of the site. */
  env?: Record<string, string>;
};

/** Starts the built site and a browser for one file of journeys. */
export function openJourneys({ launch = {}, env = {} }: Journeys = {}) {
  let [site, browser]: [Site?, Browser?] = [];
  beforeAll(async () => {
    [site, browser] = await Promise.all([startSite(env), launchBrowser(launch)]);
  });
  afterAll(async () => {
    await Promise.all([browser?.close(), site?.remove()]);
  });
  const opened = <T>(what: T | undefined): T => {
    if (!what) throw new Error("The journeys are not open yet");
    return what;
  };
  return {
    site: () => opened(site),
    /** Opens a page for a new visitor, on a phone by default. Relative URLs are the site's. */
    async reader(options: BrowserContextOptions = {}): Promise<Page> {
      const { origin } = opened(site);
      const own = frenchReader({ baseURL: origin, viewport: PHONE, ...options });
      const context = await opened(browser).newContext(own);
      context.setDefaultTimeout(PATIENCE_MS);
      return context.newPage();
    },
  };
}
