import { BlockList, isIPv6 } from "node:net";
import type { Database } from "../database/tables";
import { UnconfirmedOrigin } from "../http/refusal";
import type { ConfiguredSite } from "../database/context";
import type { Site } from "./letters";
import { confirmedOrigins } from "./origins";

/** A site whose links may carry secrets. */
export type TrustedSite = Site & { isTrusted: true };

/** The site without a trusted origin: mails have no links. */
type SiteWithoutLinks = Site & { isTrusted: false; url: "" };

type SiteContext = { db: Database; site: ConfiguredSite };

/**
 * Finds the origin for the links of a mail: the configured one, else one that the owner
 * confirmed, else localhost. The sender of a request chooses its `Host`, so an origin from a
 * request is only a preference.
 * @param preferred preferred origins, best first, such as the origin of the last sign-in
 */
export async function findSite(
  { db, site }: SiteContext,
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
  context: SiteContext,
  ...preferred: (string | null)[]
): Promise<TrustedSite> {
  const site = await findSite(context, ...preferred);
  if (!site.isTrusted) throw new Error(NO_ADDRESS);
  return site;
}

/** Where a request was sent, and from which address; null when no network was between. */
type Sent = { origin: string; clientAddress: string | null };

/**
 * Checks the origin before anything that mails a secret, alike for known and unknown e-mails. Localhost is
 * accepted only from near addresses: from elsewhere the `Host` header was invented.
 * @throws Refusal 400 when the origin is not trusted
 */
export async function checkOrigin({ db, site }: SiteContext, { origin, clientAddress }: Sent) {
  if (site.url !== null || (isLoopback(origin) && isNear(clientAddress))) return;
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

/** Addresses of this machine, and of the private networks through which its containers reach it. */
const NEAR = new BlockList();
for (const [network, prefix] of [
  ["127.0.0.0", 8],
  ["10.0.0.0", 8],
  ["172.16.0.0", 12],
  ["192.168.0.0", 16],
] as const) {
  NEAR.addSubnet(network, prefix);
}
NEAR.addAddress("::1", "ipv6");
NEAR.addSubnet("fc00::", 7, "ipv6");

const isNear = (address: string | null) =>
  address === null || NEAR.check(address, isIPv6(address) ? "ipv6" : "ipv4");
