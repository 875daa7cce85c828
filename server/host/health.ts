import type { Logger } from "../log";
import { PASSED_SITES, passedWith } from "../passed-sites";
import { StartFault } from "./fault";
import type { HostContext } from "./http/request";
import { LOOP_MESSAGE } from "./refusal";

const EXTERNAL_TIMEOUT_MS = 2_000;
/** For how long an answer serves all who ask. */
const KEPT_MS = 1_000;

/**
 * A process that listens is "starting" until its platform is open and has begun its work, and "stopping"
 * after a signal.
 */
export type Phase = "starting" | "serving" | "stopping";

type Options = { apiUrl?: string | undefined; defaultFormula: string };

/** Readiness: the start has ended, and the database, or the external API, answers now. */
export function readyz(options: Options, log: Logger, phase: () => Phase) {
  let lastFault: string | null = null;
  const findFault = kept(() => (options.apiUrl ? faultOfApi(options) : faultOfDatabase()));
  return async (context: HostContext) => {
    if (phase() !== "serving") return plain(context, phase(), 503);
    const fault = await findFault();
    // The probe runs every few seconds, so only changes are logged. The platform logs those of its database.
    const isLogged = options.apiUrl === undefined || fault === lastFault;
    if (!isLogged && fault !== null) log.warn({ reason: fault }, "not ready");
    if (!isLogged && fault === null) log.info({}, "ready again");
    lastFault = fault;
    return fault === null ? plain(context, "ready", 200) : plain(context, "not ready", 503);
  };
}

/** Asks once for all who want the answer at the same time, or a moment later: anybody may ask without end. */
function kept<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  const forget = () => void (answer = undefined);
  return () => (answer ??= ask().finally(() => setTimeout(forget, KEPT_MS).unref()));
}

function plain(context: HostContext, text: string, status: 200 | 503) {
  return context.text(text, status, { "cache-control": "no-store" });
}

/** The reason why the database does not answer; null when it does. */
async function faultOfDatabase(): Promise<string | null> {
  try {
    // A site with an external API never loads the platform.
    const { embeddedPlatform } = await import("../embedded");
    return await (await embeddedPlatform()).fault();
  } catch (error) {
    return reasonOf(error);
  }
}

/**
 * Asks the API once whether the question comes round to this site. No address tells that by itself: a proxy may
 * stand between, or another site.
 * @throws StartFault when it does
 */
export async function refuseLoop(options: Options) {
  const { reason } = await askApi(options, `/formulas/${options.defaultFormula}`);
  if (reason !== LOOP_MESSAGE) return;
  throw new StartFault(
    `API_URL: ${options.apiUrl} leads back to this site; give the address of the API, or leave it out for the platform of this site`,
  );
}

/**
 * Warns when a page answers in place of the API, and when /registration cannot sell the formula of the API: unknown,
 * retired, or sold with a traffic token only. Silent when the API is away, or has no offers.
 */
export async function warnOfApi(options: Options, log: Logger) {
  const { defaultFormula: formula } = options;
  const known = await askApi(options, `/formulas/${formula}`);
  if (known.status === null || known.status >= 500) return;
  if (known.reason !== null) {
    const fields = { status: known.status, reason: known.reason };
    log.warn(fields, "API_URL leads to no API: what answers there is a page; give its address");
    return;
  }
  if (known.status === 404) {
    log.warn({ formula }, "DEFAULT_FORMULA is unknown to the API: nobody can register by it");
  }
  if (known.status !== 200) return;
  const offer = await askApi(options, `/offers?formula=${formula}`);
  if (offer.status !== 400) return;
  log.warn(
    { formula },
    "DEFAULT_FORMULA is not sold by the API without a traffic token: nobody can register by it",
  );
}

/** An API answers no pages, also to what it refuses: those are of a site, or of a proxy in between. */
async function faultOfApi(options: Options): Promise<string | null> {
  const { status, reason } = await askApi(options, `/formulas/${options.defaultFormula}`);
  return status !== null && status >= 500 ? `The API answers ${status}` : reason;
}

/** `reason`: why this is no answer of an API. Null for one, whatever it says. */
type ApiAnswer = { status: number; reason: string | null } | { status: null; reason: string };

async function askApi({ apiUrl }: Options, path: string): Promise<ApiAnswer> {
  try {
    const response = await fetch(`${apiUrl}${path}`, {
      signal: AbortSignal.timeout(EXTERNAL_TIMEOUT_MS),
      headers: { accept: "application/json", [PASSED_SITES]: passedWith(undefined) },
    });
    if (response.status === LOOP_STATUS && (await response.text()).includes(LOOP_MESSAGE)) {
      return { status: null, reason: LOOP_MESSAGE };
    }
    await response.body?.cancel();
    const type = response.headers.get("content-type");
    const isPage = /\bhtml\b/i.test(type ?? "");
    return {
      status: response.status,
      reason: isPage ? `The API answers ${type} in place of JSON` : null,
    };
  } catch (error) {
    return { status: null, reason: reasonOf(error) };
  }
}

const LOOP_STATUS = 508;

/** What `fetch` throws says only that it failed; its cause says of what. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = error.message || error.name;
  return error.cause instanceof Error ? `${message}: ${reasonOf(error.cause)}` : message;
}
