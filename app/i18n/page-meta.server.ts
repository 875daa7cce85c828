import { config } from "~/config.server";
import { breadcrumbData } from "./breadcrumb-data.server";
import type { BreadcrumbStep } from "./breadcrumb-steps.server";
import { translate } from "./i18n.server";
import { feedTag, shareTags, type Feed, type Share } from "./share-tags.server";

/**
 * `name` is the page's own title, as in the breadcrumb. `title` is the document's title. `tags` are what other
 * sites and search engines read: made here, so that no browser gets the code.
 */
export type PageMeta = {
  name: string;
  title: string;
  description?: string;
  canonical: string;
  breadcrumb?: BreadcrumbStep[];
  tags?: Tag[];
};

/** A tag in the form that a route's `meta` export has. */
type Tag = Record<string, unknown>;

/** What a page says of itself. */
export type PageTexts = {
  title: string;
  description?: string;
  /** Path and query of the page, where they are not the path of the request. */
  address?: string;
  /** How other sites show a link to the page. Only for content that everybody may read. */
  share?: Share;
  feed?: Feed;
  /** Things of schema.org that the page is about. */
  data?: readonly object[];
};

type Page = PageTexts & {
  failed: boolean;
  /** A page without any script has no block of data either. */
  lite: boolean;
  url: URL;
  origin: string;
  /** Null for a page that shows no breadcrumb. */
  breadcrumb: BreadcrumbStep[] | null;
};

/** `{site title} - {page title}`, « Erreur : » in front after a refused form. */
export function createPageMeta(page: Page): PageMeta {
  const { title, description, address, failed, url, origin } = page;
  const full = siteTitle(title);
  const canonical = `${origin}${address ?? url.pathname}`;
  const tags = tagsOf(page, canonical);
  return {
    name: title,
    title: failed ? translate("site", "title.failed", { title: full }) : full,
    canonical,
    ...(description && { description }),
    ...(page.breadcrumb && { breadcrumb: page.breadcrumb }),
    ...(tags.length > 0 && { tags }),
  };
}

function tagsOf(page: Page, address: string): Tag[] {
  const { title, description, share, feed, data = [], breadcrumb, origin } = page;
  const things = breadcrumb ? [...data, breadcrumbData(breadcrumb, origin)] : data;
  return [
    ...(share ? shareTags({ title, description, address, origin }, share) : []),
    ...(feed ? [feedTag(feed, origin)] : []),
    // The framework encodes the signs that could end the block. Browsers do not run a block of data.
    ...(things.length > 0 && !page.lite ? [{ "script:ld+json": things }] : []),
  ];
}

export const siteTitle = (title: string) =>
  translate("site", "title.page", { site: config().siteTitle, title });
