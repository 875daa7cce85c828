import type { Page } from "playwright";

/** Collects errors of the browser and requests that leave the site. */
export function watch(page: Page, site: string) {
  const found: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) found.push(message.text());
  });
  watchErrors(page, found);
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== site) found.push(request.url());
  });
  return found;
}

/**
 * Collects errors that no script caught. A browser reports the turn of a page that it cut short as
 * one, though nothing failed (w3c/csswg-drafts#13726).
 */
export function watchErrors(page: Page, found: string[] = []) {
  page.on("pageerror", (error) => {
    if (String(error) !== "AbortError: Transition was skipped") found.push(String(error));
  });
  return found;
}
