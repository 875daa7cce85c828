import type { Database } from "../database/tables";
import { UnconfirmedOrigin } from "../http/refusal";
import type { ConfiguredSite } from "../database/context";
import type { Site } from "./letters";
import { confirmedOrigins } from "./origins";

/** A site whose links may carry secrets. */
export type TrustedSite = Site & { isTrusted: true };

/** The site without a trusted origin: mails have no links. */
type SiteWithoutLinks = Site & { isTrusted: false; url: "" };

type Context = { db: Database; site: ConfiguredSite };

/**
 * Finds the origin for the links of a mail: the configured one, else one that the owner
 * confirmed, else localhost. The sender of a request chooses its `Host`, so an origin from a
 * request is only a preference.
 * @param preferred preferred origins, best first, such as the origin of the last sign-in
 */
export async function findSite(
  { db, site }: Context,
  ...preferred: (string | null)[]
): Promise<TrustedSite | SiteWithoutLinks> {
  const origin = site.url ?? (await findTrustedOrigin(db, preferred));
  return origin === null
    ? { ...site, url: "", isTrusted: false }
    : { ...site, url: origin, isTrusted: true };
}

/**
 * Finds the origin for a mail that is useless without its secret link.
 * @throws Error when no origin is trusted; the job is retried until the owner confirms one
 */
export async function findTrustedSite(
  context: Context,
  ...preferred: (string | null)[]
): Promise<TrustedSite> {
  const site = await findSite(context, ...preferred);
  if (!site.isTrusted) throw new Error(NO_ADDRESS);
  return site;
}

/**
 * Checks the origin before anything that mails a secret, alike for known and unknown e-mails.
 * @throws Refusal 400 when the origin is not trusted
 */
export async function checkOrigin({ db, site }: Context, origin: string) {
  if (site.url !== null || isLoopback(origin)) return;
  if (!(await confirmedOrigins(db)).includes(origin)) throw new UnconfirmedOrigin(origin, REMEDY);
}

const REMEDY = "set SITE_URL, or confirm an address of the site: npm run site -- --help";
export const NO_ADDRESS = `No address for links in mails: ${REMEDY}`;

/** Prefers any confirmed origin to localhost, because any request can name localhost. */
async function findTrustedOrigin(
  db: Database,
  preferred: (string | null)[],
): Promise<string | null> {
  const confirmed = await confirmedOrigins(db);
  const [newest] = confirmed;
  return (
    preferred.find((origin) => origin !== null && confirmed.includes(origin)) ??
    newest ??
    preferred.find((origin) => origin !== null && isLoopback(origin)) ??
    null
  );
}

function isLoopback(origin: string) {
  if (!URL.canParse(origin)) return false;
  const { hostname, origin: whole } = new URL(origin);
  if (whole !== origin) return false;
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
