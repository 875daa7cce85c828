import type { ArticleSummary } from "~/contract/content";
import { translate } from "~/i18n/i18n.server";
import type { PageTexts } from "~/i18n/page-meta.server";
import { paths } from "~/paths";
import { pictureVersion } from "./article-picture.server";

type Share = NonNullable<PageTexts["share"]>;

/** What other sites show of a page that has no picture of its own. */
export const siteShare = (): Share => ({
  picture: paths.sitePicture(),
  alt: translate("home", "picture"),
});

export const articleShare = ({
  uid,
  title,
  date,
}: Pick<ArticleSummary, "uid" | "title" | "date">): Share => ({
  picture: paths.articlePicture(uid, pictureVersion(uid)),
  alt: translate("article", "picture", { title }),
  publishedAt: date,
});
