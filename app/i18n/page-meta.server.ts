import { config } from "~/config.server";
import { translate } from "./i18n.server";

/**
 * `name` is the page's own title, as in the breadcrumb. `title` is the document's title. All addresses are
 * absolute.
 */
export type PageMeta = {
  name: string;
  title: string;
  description?: string;
  canonical: string;
  share?: Share;
  feed?: Feed;
};

/** What other sites show of a link to the page (Open Graph). */
export type Share = {
  site: string;
  picture: string;
  alt: string;
  /** Of an article: the day or moment of its publication. */
  publishedAt?: string;
};

/** The Atom feed of what the page shows. */
export type Feed = { title: string; address: string };

/** What a page says of itself. Its paths begin with a slash. */
export type PageTexts = {
  title: string;
  description?: string;
  share?: Pick<Share, "picture" | "alt" | "publishedAt">;
  feed?: { title: string; path: string };
};

type Page = PageTexts & { failed: boolean; url: URL; origin: string };

/** `{site title} - {page title}`, « Erreur : » in front after a refused form. */
export function createPageMeta(page: Page): PageMeta {
  const { title, description, share, feed, failed, url, origin } = page;
  const full = siteTitle(title);
  return {
    name: title,
    title: failed ? translate("site", "title.failed", { title: full }) : full,
    canonical: `${origin}${url.pathname}`,
    ...(description && { description }),
    ...(share && {
      share: { ...share, site: config().siteTitle, picture: origin + share.picture },
    }),
    ...(feed && { feed: { title: feed.title, address: origin + feed.path } }),
  };
}

export const siteTitle = (title: string) =>
  translate("site", "title.page", { site: config().siteTitle, title });
