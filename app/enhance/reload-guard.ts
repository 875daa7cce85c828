import { isSiteReachable } from "../api/reachable";
import { RELOAD_GUARD_MS } from "../contract/limits";

const KEY = "reloadedAt";

/**
 * Reloads a page whose script could not be loaded, as between two releases, once: a page that came from this
 * reload stays the plain HTML that it is. So does one with typed text, and any without network.
 */
export async function reloadOnce() {
  const cameFromHere =
    Math.abs(performance.timeOrigin - Number(sessionStorage.getItem(KEY))) < RELOAD_GUARD_MS;
  if (cameFromHere || !(await isSiteReachable()) || hasTypedText()) return;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
}

const hasTypedText = () =>
  [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")].some(
    (field) => field.type !== "hidden" && field.value !== field.defaultValue,
  );
