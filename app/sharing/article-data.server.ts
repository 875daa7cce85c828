import type { Article as ArticleData, WithContext } from "schema-dts";
import { config } from "~/config.server";
import type { Article } from "~/contract/content";
import type { PageMeta } from "~/i18n/page-meta.server";
import { paths } from "~/paths";

type Shown = {
  article: Pick<Article, "date" | "partial" | "restricted">;
  author: string | undefined;
  page: PageMeta;
  origin: string;
};

/** The element that stands on the page for what only subscribers read. */
const RESTRICTED_PART = {
  /** The invitation stands in the place of the withheld part. */
  partial: ".paywall",
  whole: ".article__body",
};

/** An article as search engines read it, with the part that is not free (schema.org, R-10.3). */
export function articleData({ article, author, page, origin }: Shown): WithContext<ArticleData> {
  const { date, partial, restricted } = article;
  const { name, description, canonical, share } = page;
  return {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: name,
    ...(description && { description }),
    datePublished: date,
    ...(author && { author: { "@type": "Person", name: author } }),
    publisher: { "@type": "Organization", name: config().siteTitle, url: origin + paths.home() },
    ...(share && { image: share.picture }),
    inLanguage: "fr",
    mainEntityOfPage: canonical,
    isAccessibleForFree: !restricted,
    ...(restricted && {
      hasPart: {
        "@type": "WebPageElement",
        isAccessibleForFree: false,
        cssSelector: RESTRICTED_PART[partial ? "partial" : "whole"],
      },
    }),
  };
}
