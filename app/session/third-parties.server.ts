import { config } from "~/config.server";
import type { PageHandle } from "./page-handle";
import type { Preferences } from "./preferences.server";

/** Scripts of others that a page loads, as the page's own script gets their addresses. */
export type ThirdParties = {
  /** The container of the tag manager. */
  tagManager?: string;
  /** The translation into English. */
  translation?: string;
};

/** Where a page may load from, beyond the site itself. */
export type OpenedSources = {
  script: string[];
  connect: string[];
  image: string[];
  style: string[];
};

/** What Google documents for its tag manager and Analytics under a content security policy. */
const TAG_MANAGER: OpenedSources = {
  script: ["https://www.googletagmanager.com"],
  connect: [
    "https://www.googletagmanager.com",
    "https://*.google-analytics.com",
    "https://*.analytics.google.com",
  ],
  image: ["https://www.googletagmanager.com", "https://*.google-analytics.com"],
  style: [],
};

/** The hosts from which Google's translation loads its parts. It writes styles into the page. */
const GOOGLE_TRANSLATION: OpenedSources = {
  script: ["https://translate.googleapis.com", "https://translate-pa.googleapis.com"],
  connect: ["https://translate.googleapis.com", "https://translate-pa.googleapis.com"],
  image: [
    "https://translate.googleapis.com",
    "https://translate.google.com",
    "https://www.gstatic.com",
    "https://fonts.gstatic.com",
  ],
  style: ["'unsafe-inline'", "https://translate.googleapis.com", "https://www.gstatic.com"],
};

/**
 * Third parties of a page, after consent only, and only on pages that declare them: they have no secret, no
 * password and no card. The tag manager reports a page's address, so pages of search results are loaded without it.
 * Null without any.
 */
export function thirdPartiesOf(
  handle: PageHandle | null,
  { choice, english }: Preferences,
  { searchParams }: URL,
): ThirdParties | null {
  if (!handle?.thirdParties) return null;
  const { tagManager, translationScript } = config();
  const loaded = {
    ...(tagManager &&
      choice === "accept" &&
      !searchParams.has("q") && { tagManager: containerAddress(tagManager) }),
    ...(english && { translation: translationScript }),
  };
  return Object.keys(loaded).length > 0 ? loaded : null;
}

/** Where the policy of a page with these third parties is opened. */
export function sourcesOf({ tagManager, translation }: ThirdParties): OpenedSources {
  const opened = [
    ...(tagManager === undefined ? [] : [TAG_MANAGER]),
    ...(translation === undefined ? [] : [translationSources(translation)]),
  ];
  const all = (kind: keyof OpenedSources) => [...new Set(opened.flatMap((one) => one[kind]))];
  return {
    script: all("script"),
    connect: all("connect"),
    image: all("image"),
    style: all("style"),
  };
}

function translationSources(address: string): OpenedSources {
  const { origin } = new URL(address);
  const own = { script: [origin], connect: [origin], image: [], style: [] };
  if (!isGoogle(address)) return own;
  return { ...GOOGLE_TRANSLATION, script: [origin, ...GOOGLE_TRANSLATION.script] };
}

const isGoogle = (address: string) => new URL(address).hostname === "translate.google.com";

type Container = NonNullable<ReturnType<typeof config>["tagManager"]>;

function containerAddress({ id, auth, preview }: Container) {
  const address = new URL("https://www.googletagmanager.com/gtm.js");
  address.searchParams.set("id", id);
  if (auth !== undefined) address.searchParams.set("gtm_auth", auth);
  if (preview !== undefined) address.searchParams.set("gtm_preview", preview);
  if (preview !== undefined) address.searchParams.set("gtm_cookies_win", "x");
  return address.href;
}

/**
 * Where the provider of the translation shows a page in English, for whoever has no script. Null for another
 * provider, whose addresses are not known.
 * @param page its whole address
 */
export function translatedAddress(page: string): string | null {
  if (!isGoogle(config().translationScript)) return null;
  const query = new URLSearchParams({ sl: "fr", tl: "en", u: page });
  return `https://translate.google.com/translate?${query.toString()}`;
}
