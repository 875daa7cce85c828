import type { ArticleSummary } from "~/contract/content";
import { translate } from "~/i18n/i18n.server";
import type { Share } from "~/i18n/share-tags.server";
import { filePaths } from "~/paths";
import { pictureVersion, type Pictured } from "./article-picture.server";

/** What other sites show of a page that has no picture of its own. */
export const siteShare = (): Share => ({
  picture: filePaths.sitePicture(),
  alt: translate("home", "picture"),
});

export const articleShare = (article: Pictured & Pick<ArticleSummary, "date">): Share => ({
  picture: filePaths.articlePicture(article.uid, pictureVersion(article)),
  alt: translate("article", "picture", { title: article.title }),
  publishedAt: article.date,
});
