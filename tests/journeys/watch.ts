import type { Page } from "playwright";

/** Collects errors of the browser and requests that leave the site. */
export function watch(page: Page, site: string) {
  const found: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) found.push(message.text());
  });
  page.on("pageerror", (error) => found.push(String(error)));
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== site) found.push(request.url());
  });
  return found;
}
