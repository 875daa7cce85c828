import type { Favorite } from "~/api/favorites.server";
import type { ReadResult } from "~/api/read-result";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

const SHOWN_AT_FIRST = 5;

/** The favorite articles. A long list is collapsed. */
export function FavoritesPanel({ favorites }: { favorites: ReadResult<Favorite[]> }) {
  const t = useT("account");
  const articles = favorites.kind === "found" ? favorites.value : [];
  const more = articles.slice(SHOWN_AT_FIRST);
  const isEmpty = favorites.kind !== "failed" && articles.length === 0;
  return (
    <Panel title={t("favorites.title")} id="favorites">
      {favorites.kind === "failed" && <Unread text={t("unread.favorites")} />}
      {isEmpty && (
        <p>
          {t("favorites.none")} <a href={paths.articles()}>{t("favorites.articles")}</a>
        </p>
      )}
      <ArticleLinks articles={articles.slice(0, SHOWN_AT_FIRST)} />
      {more.length > 0 && (
        <details>
          <summary>{t("favorites.more", { count: more.length })}</summary>
          <ArticleLinks articles={more} />
        </details>
      )}
    </Panel>
  );
}

function ArticleLinks({ articles }: { articles: Favorite[] }) {
  const t = useT("ui");
  if (articles.length === 0) return null;
  return (
    <ul className="rows">
      {articles.map(({ uid, href, title, category, readingMinutes }) => (
        <li key={uid}>
          <a href={href}>{title}</a>
          <span className="soft small">
            {[category, t("article.minutes", { count: readingMinutes })].filter(Boolean).join(", ")}
          </span>
        </li>
      ))}
    </ul>
  );
}
