import type { ArticleSummary } from "~/contract/content";
import { translate } from "~/i18n/i18n.server";
import type { Share } from "~/i18n/share-tags.server";
import { filePaths } from "~/paths";
import { pictureVersion } from "./article-picture.server";

/** What other sites show of a page that has no picture of its own. */
export const siteShare = (): Share => ({
  picture: filePaths.sitePicture(),
  alt: translate("home", "picture"),
});

export const articleShare = ({
  uid,
  title,
  date,
}: Pick<ArticleSummary, "uid" | "title" | "date">): Share => ({
  picture: filePaths.articlePicture(uid, pictureVersion(uid)),
  alt: translate("article", "picture", { title }),
  publishedAt: date,
});
