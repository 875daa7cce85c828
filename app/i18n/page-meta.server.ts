import { config } from "~/config.server";
import { translate } from "./i18n.server";

/** `name` is the page's own title, as in the breadcrumb. `title` is the document's title. */
export type PageMeta = { name: string; title: string; description?: string; canonical: string };

type Page = {
  title: string;
  description?: string;
  /** Path and query of the page, where they are not the path of the request. */
  address?: string;
  failed: boolean;
  url: URL;
  origin: string;
};

/** `{site title} - {page title}`, « Erreur : » in front after a refused form. */
export function createPageMeta({
  title,
  description,
  address,
  failed,
  url,
  origin,
}: Page): PageMeta {
  const full = siteTitle(title);
  return {
    name: title,
    title: failed ? translate("site", "title.failed", { title: full }) : full,
    canonical: `${origin}${address ?? url.pathname}`,
    ...(description && { description }),
  };
}

export const siteTitle = (title: string) =>
  translate("site", "title.page", { site: config().siteTitle, title });
