import { config } from "~/config.server";

/** What other sites show of a link to a page besides its title and description. */
export type Share = {
  /** Path of the picture. */
  picture: string;
  /** What the picture shows, in words. */
  alt: string;
  /** Articles only: the day or moment of publication. */
  publishedAt?: string;
};

/** The Atom feed of what a page lists. */
export type Feed = { title: string; path: string };

type Page = { title: string; description: string | undefined; address: string; origin: string };

/** Width and height of every share picture. */
const PICTURE = { width: "1200", height: "630" };

/** Open Graph. Twitter reads the same properties, but for the size of its card. */
export function shareTags({ title, description, address, origin }: Page, share: Share) {
  const properties = {
    "og:title": title,
    "og:description": description,
    "og:type": share.publishedAt ? "article" : "website",
    "og:url": address,
    "og:site_name": config().siteTitle,
    "og:locale": "fr_FR",
    "og:image": origin + share.picture,
    // Articles only: their picture is drawn when it is first asked for, so readers of tags cannot measure it yet.
    "og:image:width": share.publishedAt && PICTURE.width,
    "og:image:height": share.publishedAt && PICTURE.height,
    "og:image:alt": share.alt,
    "article:published_time": share.publishedAt,
  };
  const set = Object.entries(properties).flatMap(([property, content]) =>
    content ? [{ property, content }] : [],
  );
  return [...set, { name: "twitter:card", content: "summary_large_image" }];
}

export const feedTag = ({ title, path }: Feed, origin: string) => ({
  tagName: "link",
  rel: "alternate",
  type: "application/atom+xml",
  title,
  href: origin + path,
});
