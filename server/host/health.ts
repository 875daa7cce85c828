import { embeddedPlatform } from "../embedded";
import type { HostContext } from "./request";

const EXTERNAL_TIMEOUT_MS = 2_000;

type Options = { apiUrl?: string | undefined; defaultFormula: string };

/** The process lives. */
export const healthz = (context: HostContext) => plain(context, "ok", 200);

/** Whether traffic may come: the database, or the external API, answers now. */
export function readyz(options: Options, isDraining: () => boolean) {
  return async (context: HostContext) => {
    if (isDraining()) return plain(context, "stopping", 503);
    const ready = options.apiUrl ? await apiAnswers(options) : await databaseAnswers();
    return ready ? plain(context, "ready", 200) : plain(context, "not ready", 503);
  };
}

function plain(context: HostContext, text: string, status: 200 | 503) {
  return context.text(text, status, { "cache-control": "no-store" });
}

async function databaseAnswers() {
  try {
    return await (await embeddedPlatform()).ready();
  } catch {
    return false;
  }
}

async function apiAnswers({ apiUrl, defaultFormula }: Options) {
  try {
    const response = await fetch(`${apiUrl}/formulas/${defaultFormula}`, {
      signal: AbortSignal.timeout(EXTERNAL_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status < 500;
  } catch {
    return false;
  }
}
