import { resolve } from "node:path";
import type { z } from "zod/v4";
import { readSessionSecret } from "./config/session-secret.server";
import { environment } from "./config/environment.server";
import { sendsTraces } from "./config/traces.server";

type Variables = z.infer<typeof environment>;

export type Config = ReturnType<typeof readConfig>;

/** Faults in the environment. Each line says what is wrong and how to correct it. */
export class ConfigError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
  }
}

/** Origin of the provider's payment page. The sandbox bank uses the site's own origin. */
const HOSTED_PAGES = { sandbox: undefined, stripe: "https://checkout.stripe.com" };
const CARD_FORM = { sandbox: "on", stripe: "off" };

let cached: Config | undefined;

/**
 * The configuration of this process, read once.
 * @throws ConfigError
 */
export function config(): Config {
  return (cached ??= readConfig(process.env));
}

/** @throws ConfigError that names every faulty variable. Values are left out: some are passwords */
export function readConfig(env: Record<string, string | undefined>) {
  const variables = parse(env);
  const dataDir = resolve(variables.DATA_DIR);
  let secrets = variables.SESSION_SECRET;
  return {
    port: variables.PORT,
    /** Undefined: all interfaces. */
    host: variables.HOST,
    /** Where `/metrics` is served. Undefined: nowhere. */
    metricsPort: variables.METRICS_PORT,
    metricsHost: variables.METRICS_HOST,
    /** How many worker processes are wanted. */
    workers: variables.WEB_CONCURRENCY,
    /** For how long the site still lets visitors in after SIGTERM, while `/readyz` says 503. */
    drainDelaySeconds: variables.DRAIN_DELAY,
    /** Public origin. Undefined: taken from the request, and for secrets in mails from a confirmed list. */
    siteUrl: variables.SITE_URL,
    /** Addresses and networks whose forwarding headers are trusted, or the number of proxies in front. */
    trustedProxies: variables.TRUSTED_PROXIES,
    /** Whether the process runs as a site, not for its development. */
    isProduction: env.NODE_ENV === "production",
    /** Scope of `Strict-Transport-Security`. */
    hsts: variables.HSTS,
    siteTitle: variables.SITE_TITLE,
    /** The first secret encrypts, all of them decrypt. Without the variable one is created on disk at first use. */
    get secrets(): readonly string[] {
      return (secrets ??= [readSessionSecret(dataDir)]);
    },
    /** Base of an external API, without a final slash; undefined: the embedded platform. */
    apiUrl: variables.API_URL,
    databaseUrl: variables.DATABASE_URL,
    dataDir,
    /** Whether the process writes there: the database, or the secret that it makes itself. */
    needsDataDir: variables.API_URL === undefined || variables.SESSION_SECRET === undefined,
    /** Content of the product, imported when the database is new. */
    contentDir: resolve("server/content"),
    /** The owner's content, in place of the demonstration. */
    ownContentDir: variables.CONTENT_DIR && resolve(variables.CONTENT_DIR),
    /** YAML that names seller, publisher, host and mediator; undefined: demonstration values. */
    identityFile: variables.IDENTITY_FILE && resolve(variables.IDENTITY_FILE),
    mailUrl: variables.MAIL_URL,
    mailFrom: variables.MAIL_FROM,
    /** Address for replies to mails about tickets. Undefined: those mails name no reply address. */
    mailReplyTo: variables.MAIL_REPLY_TO,
    /** Mailbox from which replies are fetched. */
    mailInboxUrl: variables.MAIL_INBOX_URL,
    paymentGateway: variables.PAYMENT_GATEWAY,
    /** Undefined: the sandbox bank. */
    stripe: stripeOf(variables),
    /** Origins of the bank's pages, which forms may lead to (CSP `form-action`). */
    paymentOrigins: paymentOriginsOf(variables),
    /** Whether the site shows a card form of its own. */
    cardForm: (variables.CARD_FORM ?? CARD_FORM[variables.PAYMENT_GATEWAY]) === "on",
    defaultFormula: variables.DEFAULT_FORMULA,
    activationDelaySeconds: variables.ACTIVATION_DELAY,
    /** Seconds that a "day" of a subscription lasts in the sandbox; undefined: real days. */
    renewalDaySeconds: variables.RENEWAL_CLOCK,
    /** Undefined: no tag manager is loaded. */
    tagManager: tagManagerOf(variables),
    /** Address of the script that translates pages, without its parameters. */
    translationScript: variables.TRANSLATION_SCRIPT_URL,
    redirectPath: variables.REDIRECT_PATH,
    securedBases: variables.SECURED_BASE,
    /** Route names; a final `*` stands for any ending. */
    prohibitedRoutes: variables.PROHIBITED_ROUTES,
    logLevel: variables.LOG_LEVEL,
    /** Whether requests and jobs are traced by OpenTelemetry. Its SDK reads its variables itself. */
    sendsTraces: sendsTraces(variables),
  };
}

/** Container with, for another environment than the live one, its credential and name. */
function tagManagerOf({ GTM_ID: id, GTM_AUTH: auth, GTM_PREVIEW: preview }: Variables) {
  return id === undefined ? undefined : { id, auth, preview };
}

function stripeOf(variables: Variables) {
  const { PAYMENT_GATEWAY, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_API_BASE } = variables;
  if (PAYMENT_GATEWAY !== "stripe" || !STRIPE_SECRET_KEY || !STRIPE_WEBHOOK_SECRET)
    return undefined;
  return {
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
    apiBase: STRIPE_API_BASE,
  };
}

function parse(env: Record<string, string | undefined>) {
  // An empty variable is what container tools pass for one that is not set.
  const setVariables = Object.entries(env).filter(([, value]) => value?.trim());
  const result = environment.safeParse(Object.fromEntries(setVariables));
  if (result.success) return result.data;
  throw new ConfigError(faultsOf(result.error));
}

function faultsOf(error: z.ZodError) {
  const faults = new Map<string, string>();
  for (const issue of error.issues) {
    const name = String(issue.path[0]);
    if (!faults.has(name)) faults.set(name, `${name} is not valid: ${issue.message}`);
  }
  return [...faults.values()];
}

function paymentOriginsOf(variables: Variables) {
  const { API_URL, SITE_URL, PAYMENT_GATEWAY, PAYMENT_ORIGINS } = variables;
  return [...originsOf(API_URL, SITE_URL, HOSTED_PAGES[PAYMENT_GATEWAY]), ...PAYMENT_ORIGINS];
}

function originsOf(...urls: (string | undefined)[]) {
  return urls.flatMap((url) => (url ? [new URL(url).origin] : []));
}
