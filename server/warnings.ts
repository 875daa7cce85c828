import type { Config } from "../app/config.server";
import { log } from "./log";

/** Says once, at the start, what in the configuration a site in public should not have. */
export function warnOfSettings(settings: Config) {
  warnOfShortSecrets(settings.secrets);
  warnOfUnknownAddress(settings);
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

/** Whoever set up a tag manager and does not see it finds the reason here. */
function warnOfNoTagManager({ tagManager }: Config) {
  if (tagManager) return;
  log().warn({}, "GTM_ID is not set: no tag manager is loaded, and nobody is asked for consent");
}

function warnOfShortSecrets(secrets: readonly string[]) {
  if (secrets.every((secret) => secret.length >= 32)) return;
  log().warn({}, "SESSION_SECRET is short: give 32 random characters or more");
}
