import type { Config } from "../app/config.server";
import { log } from "./log";

/** Says once, at the start, what in the configuration a site in public should not have. */
export function warnOfSettings(settings: Config) {
  warnOfShortSecrets(settings.secrets);
  warnOfUnknownAddress(settings);
  warnOfNoEffect(settings);
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

function warnOfNoEffect({ withoutEffect }: Config) {
  if (withoutEffect.length === 0) return;
  log().warn({}, `${withoutEffect.join(", ")}: no effect yet, the site loads no such script`);
}

function warnOfShortSecrets(secrets: readonly string[]) {
  if (secrets.every((secret) => secret.length >= 32)) return;
  log().warn({}, "SESSION_SECRET is short: give 32 random characters or more");
}
