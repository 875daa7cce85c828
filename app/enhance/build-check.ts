import { BUILD_CHECK_MINUTES } from "../contract/limits";
import { paths } from "../paths";

/**
 * Pages that hydrate load chunks of one build; after a deployment the next navigation must be a
 * whole load. All navigations here are, so a stale page only needs its post to be one.
 */
export function watchBuild() {
  const ownId = document.documentElement.dataset.build;
  const check = async () => {
    const response = await fetch(`${paths.latestBuild()}?t=${Date.now()}`);
    const latest = (await response.json()) as { id?: string };
    if (ownId && latest.id !== ownId) document.documentElement.dataset.stale = "";
  };
  const checkQuietly = () => void check().catch(() => undefined);
  setInterval(checkQuietly, BUILD_CHECK_MINUTES * 60_000);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") checkQuietly();
  });
}
