import { BUILD_CHECK_MINUTES } from "../contract/limits";
import { paths } from "../paths";

/**
 * Marks a page as stale after a deployment: its build's chunks are gone. Navigations load
 * whole documents anyway, so only posts of a stale page change to document posts.
 */
export function watchBuild() {
  const ownId = document.documentElement.dataset.build;
  const check = async () => {
    const response = await fetch(`${paths.latestBuild()}?t=${Date.now()}`);
    const latestId = idOf(await response.json());
    if (ownId && latestId !== ownId) document.documentElement.dataset.stale = "";
  };
  // Without network there is no newer build to go to: it is asked again in a while.
  const checkQuietly = () => void check().catch(() => undefined);
  setInterval(checkQuietly, BUILD_CHECK_MINUTES * 60_000);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") checkQuietly();
  });
}

const idOf = (latest: unknown) =>
  typeof latest === "object" && latest && "id" in latest ? latest.id : undefined;
