import { isIP } from "node:net";
import type { Config } from "../app/config.server";
import { log } from "./log";

/** Says once, at the start, what in the configuration a site in public should not have. */
export function warnOfSettings(settings: Config) {
  warnOfShortSecrets(settings.secrets);
  warnOfUnknownAddress(settings);
  warnOfStandIns(settings);
  warnOfNoTagManager(settings);
}

/**
 * Warns when the site's address is not set. The `Host` of a request is chosen by its sender, so a
 * link with a secret must not lead there.
 */
function warnOfUnknownAddress({ mailUrl, siteUrl, apiUrl }: Config) {
  if (!mailUrl || siteUrl || apiUrl) return;
  log().warn(
    {},
    "SITE_URL is not set: mails carry secrets only to addresses confirmed by npm run site",
  );
}

/** Warns when a site that people can find takes no money, or sends no mail. */
function warnOfStandIns({ isProduction, siteUrl, apiUrl, mailUrl, paymentGateway }: Config) {
  if (!isProduction || apiUrl || !siteUrl || !isPublic(siteUrl)) return;
  if (paymentGateway === "sandbox") {
    log().warn(
      {},
      "PAYMENT_GATEWAY is not set: the sandbox bank sells without taking money; set it to stripe",
    );
  }
  if (mailUrl) return;
  log().warn(
    {},
    "MAIL_URL is not set: mails become files in DATA_DIR/outbox and reach nobody; give smtp://user:password@host:port",
  );
}

/** Names that nobody can find from outside (RFC 2606, 6762, 8375 and what ICANN reserves). */
const PRIVATE = [
  "example",
  "test",
  "invalid",
  "localhost",
  "local",
  "internal",
  "lan",
  "home.arpa",
];

function isPublic(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  const isAddress = hostname.startsWith("[") || isIP(hostname) !== 0;
  const isPrivate = PRIVATE.some((name) => hostname === name || hostname.endsWith(`.${name}`));
  return hostname.includes(".") && !isAddress && !isPrivate;
}

/** Whoever set up a tag manager and does not see it finds the reason here. */
function warnOfNoTagManager({ tagManager }: Config) {
  if (tagManager) return;
  log().warn({}, "GTM_ID is not set: no tag manager is loaded, and nobody is asked for consent");
}

function warnOfShortSecrets(secrets: readonly string[]) {
  if (secrets.every((secret) => secret.length >= 32)) return;
  log().warn({}, "SESSION_SECRET is short: give 32 random characters or more");
}
