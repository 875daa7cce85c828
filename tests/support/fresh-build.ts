import { isFresh } from "../../server/start/stamp.mjs";

/**
 * Checks that the build is current, because page tests run the build.
 * @throws Error when the sources have changed since the build
 */
export function refuseStaleBuild() {
  if (!isFresh()) throw new Error("build/ is older than the sources: run `npm run build` first");
}
