import type { AppLoadContext } from "@remix-run/node";
import { z } from "zod/v4";
import { config } from "~/config.server";
import { readCookie } from "./cookie.server";

/** Which words the banner has. Another number asks everybody again: it stands in each answer. */
export const CONSENT_VERSION = 2;

/** Six months, as the authority for data protection recommends. */
export const CONSENT_DAYS = 180;

export const LITE_DAYS = 365;

/** */
export const LANGUAGE_DAYS = 365;
const ENGLISH = "en";

/** Page parameter that turns the lite mode on and off. */
export const LITE_PARAMETER = "lite";

const COOKIES = { lite: "lite", consent: "consent", language: "lng" } as const;

export const choice = z.enum(["accept", "refuse"]);
export type Choice = z.infer<typeof choice>;

/** The answer to the banner, as the proof that it was given: what, when, to which words. */
export type Consent = { choice: Choice; at: Date };

/**
 * What a visitor chose for this browser. Pages that are the same for many are made once for each combination
 * of `lite`, `choice` and `english`.
 */
const preferences = z.object({
  /** Pages without any script. */
  lite: z.boolean(),
  /** Null: not asked yet, more than six months ago, or about other words. */
  choice: choice.nullable(),
  /** The provider's script translates the pages. */
  english: z.boolean(),
});
export type Preferences = z.infer<typeof preferences>;

const NONE: Preferences = { lite: false, choice: null, english: false };

/** Whether the site uses anything that waits for consent: without it there is no banner. */
export const needsConsent = () => config().tagManager !== undefined;

type Sent = { cookies: string; saveData: string | null | undefined };

/** The preferences in the headers of a request. */
export function preferencesIn({ cookies, saveData }: Sent): Preferences {
  const isAsked = saveData?.trim().toLowerCase() === "on";
  // Most requests have none of it.
  if (!isAsked && !MAY_HAVE.test(cookies)) return NONE;
  const lite = readCookie(COOKIES.lite, cookies);
  // Nothing of a third party is loaded without script, so that there is nothing else to choose.
  if (lite === "1" || (isAsked && lite !== "0")) return { ...NONE, lite: true };
  return {
    lite: false,
    choice: (needsConsent() && consentIn(cookies)?.choice) || null,
    english: readCookie(COOKIES.language, cookies) === ENGLISH,
  };
}

const MAY_HAVE = /\b(?:lite|consent|lng)=/;

/** The answer to the banner in these cookies. Null when it counts no longer. */
export function consentIn(cookies: string, now = new Date()): Consent | null {
  const [given, version, seconds, ...more] = (readCookie(COOKIES.consent, cookies) ?? "").split(
    ".",
  );
  const parsed = choice.safeParse(given);
  if (!parsed.success || version !== String(CONSENT_VERSION) || more.length > 0) return null;
  if (!/^\d{10}$/.test(seconds ?? "")) return null;
  const at = new Date(Number(seconds) * 1000);
  const age = now.getTime() - at.getTime();
  return age >= 0 && age < CONSENT_DAYS * DAY_SECONDS * 1000 ? { choice: parsed.data, at } : null;
}

/**
 * The preferences of the page that answers this request: those that the host names for a page that many get,
 * otherwise those of the visitor. `?lite=` counts for its own page already.
 */
export function preferencesOf(context: AppLoadContext, request: Request): Preferences {
  if (context.preferences !== undefined) return preferences.parse(context.preferences);
  const { headers, url } = request;
  const sent = { cookies: headers.get("cookie") ?? "", saveData: headers.get("save-data") };
  const wished = wishedLite(url);
  if (wished === null) return preferencesIn(sent);
  if (wished) return { ...NONE, lite: true };
  return preferencesIn({ cookies: `${sent.cookies}; ${COOKIES.lite}=0`, saveData: null });
}

/** A short name of the combination, for keys of kept pages. Empty for what most visitors have. */
export const nameOf = ({ lite, choice, english }: Preferences): string =>
  [lite && "lite", choice, english && "english"].filter(Boolean).join(",");

/** True, false, or null where the address does not ask for it. */
function wishedLite(url: string): boolean | null {
  if (!url.includes(`${LITE_PARAMETER}=`)) return null;
  const value = new URL(url).searchParams.get(LITE_PARAMETER);
  return value === "1" ? true : value === "0" ? false : null;
}

const DAY_SECONDS = 24 * 3600;

/** The `Set-Cookie` lines that remember what the address asks for. */
export function liteCookies({ url, headers }: Request): string[] {
  const wished = wishedLite(url);
  if (wished === null) return [];
  // Who saves data everywhere, but not here, is remembered too. Otherwise no cookie says it as well.
  const isNeeded = wished || headers.get("save-data") !== null;
  const seconds = isNeeded ? LITE_DAYS * DAY_SECONDS : 0;
  return [cookieLine(url, COOKIES.lite, wished ? "1" : "0", seconds)];
}

/** The `Set-Cookie` line of an answer to the banner. */
export function consentCookie({ url }: Request, chosen: Choice, now = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000);
  const value = [chosen, CONSENT_VERSION, seconds].join(".");
  return cookieLine(url, COOKIES.consent, value, CONSENT_DAYS * DAY_SECONDS);
}

/**
 * The `Set-Cookie` lines that turn the translation on, or off: the language cookie, and the one by which
 * the provider's script begins without another click.
 */
export const languageCookies = ({ url }: Request, isOn: boolean): string[] => [
  cookieLine(url, COOKIES.language, ENGLISH, isOn ? LANGUAGE_DAYS * DAY_SECONDS : 0),
  `${PROVIDERS_COOKIE}=/fr/en${isOn ? "" : "; Max-Age=0"}; Path=/; SameSite=Lax`,
];

const PROVIDERS_COOKIE = "googtrans";

const MAX_COOKIES = 50;
/** For each, and each cookie, a line removes what may be there. */
const MAX_LABELS = 4;

/** Google's tools name theirs `_ga`, `_ga_…`, `_gid`, `_gcl_au`. */
const isTracker = (name: string) => /^_g[\w-]{1,60}$/.test(name);

/**
 * The `Set-Cookie` lines that remove what the tag manager's tools have written, for this host and those above
 * it, when consent is taken back.
 */
export function removedTrackers({ url, headers }: Request): string[] {
  const cookies = (headers.get("cookie") ?? "").split(";", MAX_COOKIES);
  const names = cookies.map((pair) => pair.trim().split("=", 1)[0] ?? "").filter(isTracker);
  const labels = new URL(url).hostname.split(".").slice(-MAX_LABELS);
  const domains = labels
    .slice(0, -1)
    .map((_, index) => `; Domain=${labels.slice(index).join(".")}`);
  return [...new Set(names)].flatMap((name) =>
    ["", ...domains].map((domain) => `${name}=; Max-Age=0; Path=/${domain}`),
  );
}

/** Adds `Set-Cookie` lines to an answer, which nobody stores then. */
export function addCookies(headers: Headers, lines: readonly string[]) {
  for (const line of lines) headers.append("set-cookie", line);
  if (lines.length > 0) headers.set("cache-control", "private, no-store");
}

/** @param seconds until the cookie ends; 0 removes it */
function cookieLine(url: string, name: string, value: string, seconds: number) {
  const secure = url.startsWith("https:") ? "; Secure" : "";
  return `${name}=${value}; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax${secure}`;
}
