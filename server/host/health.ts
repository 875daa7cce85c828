import { embeddedPlatform } from "../embedded";
import type { Logger } from "../log";
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

/** Nobody can register without it; the API may be away, and say so later. */
export async function warnOfUnknownFormula(options: Options, log: Logger) {
  if ((await statusOfFormula(options)) !== 404) return;
  const { defaultFormula: formula } = options;
  log.warn({ formula }, "DEFAULT_FORMULA is unknown to the API: nobody can register by it");
}

async function apiAnswers(options: Options) {
  const status = await statusOfFormula(options);
  return status !== null && status < 500;
}

/** Null where the API does not answer. */
async function statusOfFormula({ apiUrl, defaultFormula }: Options): Promise<number | null> {
  try {
    const response = await fetch(`${apiUrl}/formulas/${defaultFormula}`, {
      signal: AbortSignal.timeout(EXTERNAL_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status;
  } catch {
    return null;
  }
}
