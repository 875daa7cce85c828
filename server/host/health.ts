import { embeddedPlatform } from "../embedded";
import type { Logger } from "../log";
import type { HostContext } from "./request";

const EXTERNAL_TIMEOUT_MS = 2_000;

type Options = { apiUrl?: string | undefined; defaultFormula: string };

/** The process lives. */
export const healthz = (context: HostContext) => plain(context, "ok", 200);

/** Whether traffic may come: the database, or the external API, answers now. */
export function readyz(options: Options, log: Logger, isDraining: () => boolean) {
  let told: string | null = null;
  return async (context: HostContext) => {
    if (isDraining()) return plain(context, "stopping", 503);
    const fault = options.apiUrl ? await faultOfApi(options) : await faultOfDatabase();
    // Asked every few seconds: each change is told once.
    if (fault !== told && fault !== null) log.warn({ reason: fault }, "not ready");
    if (fault !== told && fault === null) log.info({}, "ready again");
    told = fault;
    return fault === null ? plain(context, "ready", 200) : plain(context, "not ready", 503);
  };
}

function plain(context: HostContext, text: string, status: 200 | 503) {
  return context.text(text, status, { "cache-control": "no-store" });
}

/** Why the database does not answer; null when it does. */
async function faultOfDatabase(): Promise<string | null> {
  try {
    const isReady = await (await embeddedPlatform()).ready();
    return isReady ? null : "The database does not answer";
  } catch (error) {
    return reasonOf(error);
  }
}

async function faultOfApi({ apiUrl, defaultFormula }: Options): Promise<string | null> {
  try {
    const response = await fetch(`${apiUrl}/formulas/${defaultFormula}`, {
      signal: AbortSignal.timeout(EXTERNAL_TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.status < 500 ? null : `The API answers ${response.status}`;
  } catch (error) {
    return reasonOf(error);
  }
}

const reasonOf = (error: unknown) =>
  error instanceof Error ? error.message || error.name : String(error);
