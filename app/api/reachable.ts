import { paths } from "~/paths";

/**
 * Call this before a page reloads its data: a reload without network would replace the page, and any
 * text in its fields, with the error page.
 */
export async function isSiteReachable(): Promise<boolean> {
  const answer = await fetch(paths.latestBuild(), { cache: "no-store" }).catch(() => null);
  return answer?.ok === true;
}
