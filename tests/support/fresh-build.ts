import { isFresh } from "../../server/start/stamp.mjs";

/**
 * Tests of pages run what was built.
 * @throws Error when the sources have changed since
 */
export function refuseStaleBuild() {
  if (!isFresh()) throw new Error("build/ is older than the sources: run `npm run build` first");
}
