import type { MetaDescriptor } from "@remix-run/react";
import type { Feed, PageMeta, Share } from "./page-meta.server";

const REFRESH_SECONDS = 3;

/** The `meta` export of every page, from the loader's `visit.describePage`. */
export function pageMeta({ data }: { data: unknown }): MetaDescriptor[] {
  const page = hasPage(data) ? data.page : null;
  if (!page) return [];
  return [
    { title: page.title },
    { tagName: "link", rel: "canonical", href: page.canonical },
    ...(page.description ? [{ name: "description", content: page.description }] : []),
    ...(page.share ? shareMeta(page, page.share) : []),
    ...(page.feed ? [feedLink(page.feed)] : []),
  ];
}

/** Width and height of every share picture, as the sites that show them ask for. */
const PICTURE = { width: "1200", height: "630" };

/** Open Graph. Twitter reads the same properties, but for the size of its card. */
function shareMeta({ name, description, canonical }: PageMeta, share: Share): MetaDescriptor[] {
  const { site, picture, alt, publishedAt } = share;
  const properties = {
    "og:title": name,
    "og:description": description,
    "og:type": publishedAt ? "article" : "website",
    "og:url": canonical,
    "og:site_name": site,
    "og:locale": "fr_FR",
    "og:image": picture,
    "og:image:width": PICTURE.width,
    "og:image:height": PICTURE.height,
    "og:image:alt": alt,
    "article:published_time": publishedAt,
  };
  const set = Object.entries(properties).flatMap(([property, content]) =>
    content ? [{ property, content }] : [],
  );
  return [...set, { name: "twitter:card", content: "summary_large_image" }];
}

const feedLink = ({ title, address }: Feed): MetaDescriptor => ({
  tagName: "link",
  rel: "alternate",
  type: "application/atom+xml",
  title,
  href: address,
});

/** Reloads the page without script until the bank or the platform has answered. */
export function refreshMeta({ data }: { data: unknown }): MetaDescriptor[] {
  const waits = typeof data === "object" && data !== null && "waits" in data && data.waits;
  return waits ? [{ httpEquiv: "refresh", content: String(REFRESH_SECONDS) }] : [];
}

function hasPage(data: unknown): data is { page: PageMeta } {
  return typeof data === "object" && data !== null && "page" in data;
}
