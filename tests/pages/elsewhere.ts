import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPlatform, type Platform } from "../../server/platform";
import { openLoopback } from "../app/loopback";

type Answer = (request: Request, platform: Platform) => Response | Promise<Response>;

const silent = { info() {}, warn() {}, error() {} };

/** A real API elsewhere. `answer` says what becomes of each request on its way there. */
export async function openElsewhere(answer: Answer) {
  const dataDir = mkdtempSync(join(tmpdir(), "cap-celeste-elsewhere-"));
  const platform = await openPlatform({
    dataDir,
    contentDir: "server/content",
    siteTitle: "Cap Céleste",
    siteUrl: "http://site.test",
    secrets: ["a secret for tests only, long enough"],
    activationDelaySeconds: 0,
    log: silent,
    jobs: false,
  });
  await platform.begin();
  const api = await openLoopback(async (request) => answer(request, platform));
  return {
    url: `${api.origin}/api`,
    platform,
    close: async () => {
      await api.close();
      await platform.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
