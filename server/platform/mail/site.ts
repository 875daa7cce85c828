import type { Database } from "../database/tables";
import { UnconfirmedOrigin } from "../http/refusal";
import type { ConfiguredSite } from "../ports/context";
import type { Site } from "./letters";
import { confirmedOrigins } from "./origins";

/** A site whose links may carry secrets. */
export type TrustedSite = Site & { isTrusted: true };

/** Nobody vouches for any address: mails go without links. */
type UnknownSite = Site & { isTrusted: false; url: "" };

type Context = { db: Database; site: ConfiguredSite };

/**
 * Where the links of a mail lead: to the configured address, else to an origin that the
 * owner of the site confirmed, else to this machine. Whoever sends a request chooses its `Host`, so
 * that an origin which came with one is only a wish.
 * @param wished in order of preference, such as the origin that an account was last used at
 */
export async function siteOf(
  { db, site }: Context,
  ...wished: (string | null)[]
): Promise<TrustedSite | UnknownSite> {
  const origin = site.url ?? (await findTrusted(db, wished));
  return origin === null
    ? { ...site, url: "", isTrusted: false }
    : { ...site, url: origin, isTrusted: true };
}

/**
 * The same for a mail that is nothing without its secret.
 * @throws Error when nobody vouches for any address; a job tries again until somebody does
 */
export async function trustedSiteOf(
  context: Context,
  ...wished: (string | null)[]
): Promise<TrustedSite> {
  const site = await siteOf(context, ...wished);
  if (!site.isTrusted) throw new Error(`No address for links in mails: ${REMEDY}`);
  return site;
}

/**
 * Asked before anything is done that mails a secret, alike for known and unknown people.
 * @throws Refusal 400 at an address of the site that nobody vouches for
 */
export async function checkOrigin({ db, site }: Context, origin: string) {
  if (site.url !== null || isLoopback(origin)) return;
  if (!(await confirmedOrigins(db)).includes(origin)) throw new UnconfirmedOrigin(origin, REMEDY);
}

const REMEDY = "set SITE_URL, or confirm an address of the site: npm run site -- --help";

/** The newest confirmed one goes before this machine, which anybody may name. */
async function findTrusted(db: Database, wished: (string | null)[]): Promise<string | null> {
  const confirmed = await confirmedOrigins(db);
  const [newest] = confirmed;
  return (
    wished.find((origin) => origin !== null && confirmed.includes(origin)) ??
    newest ??
    wished.find((origin) => origin !== null && isLoopback(origin)) ??
    null
  );
}

function isLoopback(origin: string) {
  if (!URL.canParse(origin)) return false;
  const { hostname, origin: whole } = new URL(origin);
  if (whole !== origin) return false;
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
