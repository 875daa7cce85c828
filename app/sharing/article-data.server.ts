import type { Article as ArticleData, WithContext } from "schema-dts";
import { config } from "~/config.server";
import type { Article } from "~/contract/content";
import { breadcrumbData } from "~/i18n/breadcrumb-data.server";
import { translate } from "~/i18n/i18n.server";
import type { Share } from "~/i18n/share-tags.server";
import { paths } from "~/paths";

type Shown = {
  article: Article;
  /** The author's name. */
  author: string | undefined;
  share: Share;
  origin: string;
};

/**
 * What search engines read on the page of an article: the article, and the way to it, of which the page shows
 * no breadcrumb.
 */
export const articlePageData = (shown: Shown) => [
  articleData(shown),
  breadcrumbData(
    [
      { label: translate("site", "breadcrumb.home"), href: paths.home() },
      { label: translate("articles", "title"), href: paths.articles() },
      { label: shown.article.title },
    ],
    shown.origin,
  ),
];

/** The element that stands on the page for what only subscribers read. */
const RESTRICTED_PART = {
  /** The invitation stands in the place of the withheld part. */
  partial: ".paywall",
  whole: ".article__body",
};

/** The article with the part that is not free (schema.org, R-10.3). */
function articleData({ article, author, share, origin }: Shown): WithContext<ArticleData> {
  const { uid, title, summary, date, partial, restricted } = article;
  return {
    "@context": "https://schema.org",
    "@type": "Article",
    headline: title,
    description: summary,
    datePublished: date,
    ...(author && { author: { "@type": "Person", name: author } }),
    publisher: { "@type": "Organization", name: config().siteTitle, url: origin + paths.home() },
    image: origin + share.picture,
    inLanguage: "fr",
    mainEntityOfPage: origin + paths.article(uid),
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
