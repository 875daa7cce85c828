import { paths } from "~/paths";

/**
 * Call this before a page reloads its data: a reload without network would replace the page, and any
 * text in its fields, with the error page.
 */
export async function isSiteReachable(signal: AbortSignal | null = null): Promise<boolean> {
  const asked = fetch(paths.latestBuild(), { cache: "no-store", signal });
  return (await asked.catch(() => null))?.ok === true;
}
