import type { Database } from "../database/tables";
import { findDemoOffers } from "../offers/seed";
import type { Log } from "../ports/log";
import { findDemoContent, findDemoPresentation } from "./demo-content";
import type { Identity, KnownIdentity } from "./identity";
import demo from "./identity-demo.fr.json";
import { demoValuesIn, namesOtherSite } from "./identity-places";

/** Values, pages and articles of the demonstration that are still in use. */
export type DemoLeftovers = {
  /** Names such as `seller.register` that nobody gave, or that hold no real value. */
  missing: string[];
  /** Stored pages that hold demonstration values in their own text. */
  pages: string[];
  formulas: string[];
  tokens: string[];
  /** Articles and authors that are published beside the owner's own, or where real money is taken. */
  articles: string[];
  authors: string[];
  /** Pages that present the demonstration's site, on the same sites. */
  presentation: string[];
};

type Site = {
  db: Database;
  known: KnownIdentity;
  contentDir: string;
  /** Whether the owner shows the demonstration: with a sandbox, and no content of their own. */
  isDemo: boolean;
};

export async function demoLeftovers(site: Site): Promise<DemoLeftovers> {
  const { db, known, isDemo } = site;
  const pages = await findDemoPages(db);
  const { articles, authors } = isDemo
    ? { articles: [], authors: [] }
    : await findDemoContent(site);
  const presentation = isDemo ? [] : await findDemoPresentation(site);
  const offers = await findDemoOffers(db);
  return { missing: missingNames(known), pages, ...offers, articles, authors, presentation };
}

async function findDemoPages(db: Database): Promise<string[]> {
  const pages = await db.selectFrom("page").select(["uid", "body"]).orderBy("uid").execute();
  return pages.filter(({ body }) => demoValuesIn(body).length > 0).map(({ uid }) => uid);
}

const missingNames = ({ missing, identity }: KnownIdentity): string[] => [
  ...new Set([...missing, ...unrealNames(identity)]),
];

/** Stored pages that name the product, on a site of another name. */
export async function misnamedPages(db: Database, title: string): Promise<string[]> {
  const pages = await db.selectFrom("page").select(["uid", "body"]).orderBy("uid").execute();
  return pages.filter(({ body }) => namesOtherSite(body, title)).map(({ uid }) => uid);
}

/** One line for each leftover, with the command that ends it. */
export function describeLeftovers(leftovers: DemoLeftovers): string[] {
  const { missing, pages, formulas, tokens, articles, authors, presentation } = leftovers;
  return [
    ...missing.map((name) => `${name} is missing in IDENTITY_FILE, or holds no real value`),
    ...pages.map((uid) => `the page "${uid}" holds demonstration values: import it anew`),
    ...formulas.map(
      (uid) =>
        `the formula "${uid}" is the demonstration's: npm run formulas -- change, confirm or retire ${uid}`,
    ),
    ...tokens.map(
      (value) => `the traffic token "${value}" is public: npm run traffic -- retire ${value}`,
    ),
    ...presentation.map(
      (uid) => `the page "${uid}" presents the demonstration's site: import your own`,
    ),
    ...articles.map((uid) => `the article "${uid}" ${DEMO_CONTENT}`),
    ...authors.map((uid) => `the author "${uid}" ${DEMO_CONTENT}`),
  ];
}

const DEMO_CONTENT = "is the demonstration's: npm run content -- retire-demo";

/** True of companies that exist, too. */
const COMMON = ["seller.form", "publisher.role"];
const NUMBERS = ["seller.register", "seller.vat", "seller.phone", "host.phone"];
/** Names that no mail and no page can have (RFC 2606). */
const RESERVED = ["example", "test", "invalid", "localhost"];

/** Names whose value is the demonstration's, or one that nobody can have. */
function unrealNames(identity: Identity): string[] {
  const fictitious = new Map(entriesOf(demo));
  return entriesOf(identity)
    .filter(([name, value]) => {
      const isDemo = essenceOf(value) === essenceOf(fictitious.get(name) ?? "");
      if (isDemo && !COMMON.includes(name)) return true;
      const isUnreal = hasReservedName(value) || isUnfilled(value);
      return isUnreal || (NUMBERS.includes(name) && isAllZero(value));
    })
    .map(([name]) => name);
}

function entriesOf({ statement, ...groups }: Identity): [string, string][] {
  const named = Object.entries(groups).flatMap(([group, members]) =>
    Object.entries(members).map(([name, value]): [string, string] => [`${group}.${name}`, value]),
  );
  return [...named, ["statement", statement]];
}

/** An address stays the same place without its town, a text without its typography. */
const essenceOf = (value: string) =>
  (value.split(",", 1)[0] ?? "")
    .replace(/[\s’']+/g, " ")
    .trim()
    .toLowerCase();

function hasReservedName(value: string): boolean {
  return value
    .toLowerCase()
    .split(/[\s/@:,;()]+/)
    .map((word) => word.split(".").filter(Boolean))
    .some((labels) => {
      const [last = "", second] = labels.toReversed();
      return second !== undefined && (RESERVED.includes(last) || second === "example");
    });
}

/** What stands where a value is still to be given. */
const UNFILLED =
  /^(?:todo|tbd|tba|n ?a|x+|lorem ipsum|[aà] (?:venir|compl[eé]ter|d[eé]finir|remplir))$/i;

const isUnfilled = (value: string) => {
  const words = (value.match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
  return words.length < 2 || UNFILLED.test(words);
};

/** A register number ends with the nine digits of a company, which are never all zero. */
function isAllZero(value: string): boolean {
  const digits = value.replace(/\D/g, "");
  return /^0+$/.test(digits) || digits.endsWith("000000000");
}

/** @throws Error in one sentence when real money would be taken in the name of nobody */
export function refuseDemoNames(known: KnownIdentity) {
  const missing = missingNames(known);
  if (missing.length === 0) return;
  throw new Error(
    `IDENTITY_FILE does not give ${missing.join(", ")}, and the payment key is a live one; npm run site -- check lists them`,
  );
}

/** Why the address does not keep what the privacy page promises: encrypted exchanges. Null when it does. */
export function addressFault(siteUrl: string | undefined): string | null {
  if (siteUrl === undefined) return "SITE_URL is not set";
  return siteUrl.startsWith("https:") ? null : "SITE_URL is not an https address";
}

/** @throws Error in one sentence when real money would be taken at an address without encryption */
export function refusePlainAddress(siteUrl: string | undefined) {
  const fault = addressFault(siteUrl);
  if (fault === null) return;
  throw new Error(
    `${fault}, and the payment key is a live one: set it to the https address that people use`,
  );
}

/** Why mails reach nobody. Null when they do. */
export const mailFault = (mailUrl: string | undefined): string | null =>
  mailUrl === undefined ? "MAIL_URL is not set: mails become files, and reach nobody" : null;

/**
 * The law asks for confirmations, receipts and reminders by mail; in files they would count as sent.
 * @throws Error in one sentence when real money would be taken without mails
 */
export function refuseUnsentMails(mailUrl: string | undefined) {
  const fault = mailFault(mailUrl);
  if (fault === null) return;
  throw new Error(`${fault}; the payment key is a live one: set it to the mail server`);
}

/** @throws Error in one sentence when real money would be taken under texts of the demonstration */
export async function refuseDemoPages(db: Database) {
  const pages = await findDemoPages(db);
  if (pages.length === 0) return;
  throw new Error(
    `Demonstration values stand in the pages ${pages.join(", ")}; npm run site -- check lists them`,
  );
}

/** Warns of what stands there for demonstration. */
export async function warnOfDemoNames({ db, log, known }: Options) {
  const { missing } = known;
  const pages = await findDemoPages(db);
  if (missing.length === 0 && pages.length === 0) return;
  log.warn(
    { missing, pages },
    "IDENTITY_FILE: legal pages and mails hold demonstration values; a live payment key is refused until then",
  );
}

type Options = { db: Database; log: Log; known: KnownIdentity };
