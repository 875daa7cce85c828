import { paths } from "~/paths";

/**
 * Asked before a page looks itself up anew: a look that finds no site would put the error page in the
 * place of what is being written.
 */
export async function isSiteReachable(): Promise<boolean> {
  const answer = await fetch(paths.latestBuild(), { cache: "no-store" }).catch(() => null);
  return answer?.ok === true;
}
