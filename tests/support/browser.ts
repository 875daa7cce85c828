import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium, type Browser, type BrowserContextOptions, type LaunchOptions } from "playwright";

/** Without a window of its own it needs a third of the time for a page. */
const HEADLESS = ["/usr/bin/chromium-headless-shell"];
const WHOLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Switches off the browser's own requests: it must talk to the site only. */
const ARGUMENTS = [
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-quic",
  "--disable-sync",
  "--no-first-run",
];

/** A user agent without the word "Headless", which the site would take for a bot. */
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";

/** Browser options of a French reader. JavaScript is on by default. */
export function frenchReader(options: BrowserContextOptions = {}): BrowserContextOptions {
  return { locale: "fr-FR", timezoneId: "Europe/Paris", userAgent: USER_AGENT, ...options };
}

export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const isRoot = process.getuid?.() === 0;
  return chromium.launch({
    executablePath: findChromium([...HEADLESS, ...WHOLE]),
    args: [...ARGUMENTS, ...(isRoot ? ["--no-sandbox"] : [])],
    ...options,
  });
}

/** Launch options of a whole browser, which alone keeps the pages that it has left, for Back. */
export const keepingPages = (): LaunchOptions => ({
  executablePath: findChromium(WHOLE),
  channel: "chromium",
  ignoreDefaultArgs: ["--disable-back-forward-cache"],
});

/** An installed Chromium, or the one that Playwright downloads once. */
function findChromium(installed: readonly string[]): string {
  const candidates = [process.env.CHROMIUM_PATH, ...installed, chromium.executablePath()];
  const found = candidates.find((path) => path && existsSync(path));
  if (found) return found;
  execFileSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" });
  return chromium.executablePath();
}
