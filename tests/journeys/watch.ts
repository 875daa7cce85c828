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

/** How a browser reports the fade between two pages that it cut short (w3c/csswg-drafts#13726). */
const CUT_SHORT =
  /^(?:AbortError: Transition was skipped$|InvalidStateError: Transition was aborted)/;

/** Collects errors that no script caught, except fades cut short: nothing failed then. */
export function watchErrors(page: Page, found: string[] = []) {
  page.on("pageerror", (error) => {
    if (!CUT_SHORT.test(String(error))) found.push(String(error));
  });
  return found;
}
