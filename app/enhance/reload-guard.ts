import { isSiteReachable } from "../api/reachable";
import { RELOAD_GUARD_MS } from "../contract/limits";

const KEY = "reloadedAt";

/**
 * Reloads a page whose script could not be loaded, as between two releases, once: a page that came from this
 * reload stays the plain HTML that it is. So does one that holds typed text, also as the answer to a
 * refused post, which a reload would send again; and any page without network.
 */
export async function reloadOnce() {
  // `performance.timeOrigin` may be of another clock after a sleep.
  const loadedAt = Date.now() - performance.now();
  const cameFromHere = Math.abs(loadedAt - Number(sessionStorage.getItem(KEY))) < RELOAD_GUARD_MS;
  if (cameFromHere || !(await isSiteReachable()) || holdsWork()) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

function holdsWork() {
  const fields = document.querySelectorAll<HTMLInputElement>("input:not([type=hidden])");
  const areas = document.querySelectorAll("textarea");
  return (
    document.querySelector("[role=alert]") !== null ||
    [...areas].some(({ value }) => value !== "") ||
    [...fields].some(({ value, defaultValue }) => value !== defaultValue)
  );
}
