import { isIP } from "node:net";
import { z } from "zod/v4";
import { MAIL_ADDRESS } from "~/contract/mail-address";
import { list, matching, oneOf, path, url, whole } from "./rules.server";
import { isSupported, sendsTraces, traceVariables } from "./traces.server";

const LOG_LEVELS = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;
/** RFC 5321, 4.5.3.1.1: 64 characters before the @. Uid and tag of a ticket take 54 of them. */
const MAX_REPLY_NAME = 10;
const MAX_PROXIES = 10;

const variables = z.object({
  PORT: whole(0, 65_535).default(3000),
  HOST: matching(/^[\w.:%-]+$/, "give an address or host name, or leave it out for all").optional(),
  METRICS_PORT: whole(1, 65_535).optional(),
  METRICS_HOST: matching(/^[\w.:%-]+$/, "give an address of this machine").default("127.0.0.1"),
  WEB_CONCURRENCY: whole(1, 64).default(1),
  DRAIN_DELAY: whole(0, 300, "seconds ").default(5),
  SITE_URL: url(["http:", "https:"], "https://example.org, without a path")
    .refine((value) => new URL(value).pathname === "/", "give the origin only, without a path")
    .transform((value) => new URL(value).origin)
    .optional(),
  TRUSTED_PROXIES: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((items) => isProxyCount(items) || items.every(isNetwork), {
      error:
        "give addresses or networks such as 10.0.0.0/8, separated by commas, or how many proxies stand in front, such as 1",
    })
    .transform((items) => (isProxyCount(items) ? Number(items[0]) : items))
    .default(["127.0.0.0/8", "::1"]),
  HSTS: oneOf(["host", "includeSubDomains", "preload"]).default("host"),
  SITE_TITLE: z.string().trim().max(100, "give at most 100 characters").default("Cap Céleste"),
  SESSION_SECRET: list(/^\S+$/, "give one secret, or several separated by commas").optional(),
  API_URL: url(["http:", "https:"], "https://example.org/api")
    .transform((value) => value.replace(/(?<!\/)\/+$/, ""))
    .optional(),
  DATABASE_URL: url(
    ["postgres:", "postgresql:"],
    "postgres://user:password@host:5432/name, or leave it out for the embedded database",
  ).optional(),
  DATA_DIR: z.string().default("./data"),
  CONTENT_DIR: z.string().optional(),
  IDENTITY_FILE: z.string().optional(),
  MAIL_URL: url(["smtp:", "smtps:"], "smtp://user:password@host:587").optional(),
  MAIL_FROM: matching(
    new RegExp(`^(?:${MAIL_ADDRESS}|[^<>@\\p{Cc}]+<${MAIL_ADDRESS}>)$`, "u"),
    'give an address, such as "Cap Céleste <bonjour@example.org>"',
  ).optional(),
  MAIL_REPLY_TO: matching(
    new RegExp(`^${MAIL_ADDRESS}$`),
    "give an address without a name, such as bonjour@example.org",
  )
    .refine((value) => value.lastIndexOf("@") <= MAX_REPLY_NAME, {
      error: `give an address with at most ${MAX_REPLY_NAME} signs before the @: a tag joins them`,
    })
    .optional(),
  MAIL_INBOX_URL: url(["imap:", "imaps:"], "imaps://user:password@host:993/INBOX")
    .refine(hasAccount, "give user and password too: imaps://user:password@host:993/INBOX")
    .optional(),
  PAYMENT_GATEWAY: oneOf(["sandbox", "stripe"]).default("sandbox"),
  STRIPE_SECRET_KEY: matching(
    /^(?:sk|rk)_(?:test|live)_\w+$/,
    "give a secret key of Stripe, such as sk_live_…",
  ).optional(),
  STRIPE_WEBHOOK_SECRET: matching(
    /^whsec_\S+$/,
    "give the signing secret of the webhook at Stripe, such as whsec_…",
  ).optional(),
  STRIPE_API_BASE: url(["http:", "https:"], "https://stripe.test")
    .refine((value) => /^https:|^http:\/\/(?:localhost|127\.0\.0\.1)(?::|\/|$)/.test(value), {
      error: "give https://, the key travels there; http:// on this machine only",
    })
    .optional(),
  PAYMENT_ORIGINS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .refine((items) => items.every(isOrigin), {
      error: "give origins such as https://pay.example, separated by commas",
    })
    .default([]),
  /** Default: on with the sandbox, off with any other gateway. */
  CARD_FORM: oneOf(["on", "off"]).optional(),
  DEFAULT_FORMULA: matching(/^[\w-]{1,128}$/, "give the uid of a formula").default("vip-mensuel"),
  ACTIVATION_DELAY: whole(0, 86_400, "seconds ").default(0),
  RENEWAL_CLOCK: whole(1, 86_400, "seconds ").optional(),
  GTM_ID: matching(/^GTM-[A-Z0-9]+$/, "give a container id, such as GTM-ABC123").optional(),
  GTM_AUTH: matching(/^[\w-]+$/, "give the letters and digits of the tag manager").optional(),
  GTM_PREVIEW: matching(/^env-\d+$/, "give an environment, such as env-2").optional(),
  TRANSLATION_SCRIPT_URL: url(["https:"], "the https:// address of the script").default(
    "https://translate.google.com/translate_a/element.js",
  ),
  REDIRECT_PATH: path().default("/account"),
  SECURED_BASE: list(/^\/[^/\\\s][^\\\s]*$/, "give paths such as /account,/coaching").default([
    "/account",
    "/coaching",
    "/article",
    "/desk",
  ]),
  PROHIBITED_ROUTES: list(/^[\w-]+\*?$/, "give route names such as login,registration*").default([
    "login",
    "logout",
    "registration*",
    "callback*",
    "page404",
    "page5xx",
  ]),
  LOG_LEVEL: oneOf(LOG_LEVELS).default("info"),
  ...traceVariables,
});
type Variables = z.infer<typeof variables>;

/** Every variable of the environment. A message completes « X is not valid: … ». */
export const environment = variables
  .refine((given) => given.METRICS_PORT === undefined || given.METRICS_PORT !== given.PORT, {
    ...fault("METRICS_PORT", "give another port than PORT: the figures are not for visitors"),
  })
  .refine((given) => !given.MAIL_INBOX_URL || given.MAIL_REPLY_TO, {
    ...fault("MAIL_REPLY_TO", "give the address whose mails come to MAIL_INBOX_URL"),
  })
  .refine((given) => !chargesByStripe(given) || given.STRIPE_SECRET_KEY, {
    ...fault("STRIPE_SECRET_KEY", "give the secret key, PAYMENT_GATEWAY=stripe needs it"),
  })
  .refine((given) => !chargesByStripe(given) || given.STRIPE_WEBHOOK_SECRET, {
    ...fault("STRIPE_WEBHOOK_SECRET", "give the signing secret, PAYMENT_GATEWAY=stripe needs it"),
  })
  .refine((given) => !chargesByStripe(given) || given.CARD_FORM !== "on", {
    ...fault("CARD_FORM", "give off, or leave it out: Stripe takes cards on its own page only"),
  })
  .refine((given) => !sendsTraces(given) || isSupported.exporter(given), {
    ...fault("OTEL_TRACES_EXPORTER", "give otlp or none: traces are sent by OTLP only"),
  })
  .refine((given) => !sendsTraces(given) || isSupported.protocol(given), {
    ...fault("OTEL_EXPORTER_OTLP_PROTOCOL", "give http/json: traces are sent in no other form"),
  })
  .refine((given) => !sendsTraces(given) || isSupported.tracesProtocol(given), {
    ...fault(
      "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL",
      "give http/json: traces are sent in no other form",
    ),
  });

/** With an external API this process needs no keys: the API charges. */
function chargesByStripe({ PAYMENT_GATEWAY, API_URL }: Variables) {
  return PAYMENT_GATEWAY === "stripe" && API_URL === undefined;
}

/** `when` makes the check run even if other variables are faulty, so that all faults are reported. */
function fault(name: keyof Variables, message: string) {
  return { path: [name], message, when: () => true };
}

/** False also for a broken percent encoding. */
function hasAccount(text: string) {
  const { username, password } = new URL(text);
  try {
    return [username, password].every((part) => decodeURIComponent(part) !== "");
  } catch {
    return false;
  }
}

function isProxyCount([first = "", ...rest]: readonly string[]) {
  return rest.length === 0 && /^\d{1,2}$/.test(first) && Number(first) <= MAX_PROXIES;
}

function isNetwork(text: string) {
  const [address = "", prefix, ...rest] = text.split("/");
  const version = address.includes("%") ? 0 : isIP(address);
  if (version === 0 || rest.length > 0) return false;
  if (prefix === undefined) return true;
  return /^\d{1,3}$/.test(prefix) && Number(prefix) <= (version === 6 ? 128 : 32);
}

/** A wildcard or a scheme alone would let forms lead anywhere. */
function isOrigin(text: string) {
  return /^https?:/.test(text) && URL.canParse(text) && new URL(text).origin === text;
}
