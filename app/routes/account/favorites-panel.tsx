import type { Favorite, Favorites } from "./favorites.server";
import type { ReadResult } from "~/api/read-result";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

const SHOWN_AT_FIRST = 5;
const PANEL = "favorites";

const NONE: Favorites = { articles: [], isNewest: true, olderAfter: null };

/** A page of the favorite articles. The newest of them are collapsed, older ones were asked for. */
export function FavoritesPanel({ favorites }: { favorites: ReadResult<Favorites> }) {
  const t = useT("account");
  const { articles, isNewest, olderAfter } = favorites.kind === "found" ? favorites.value : NONE;
  const more = isNewest ? articles.slice(SHOWN_AT_FIRST) : [];
  const isEmpty = favorites.kind !== "failed" && articles.length === 0 && isNewest && !olderAfter;
  return (
    <Panel title={t("favorites.title")} id={PANEL}>
      {favorites.kind === "failed" && <Unread text={t("unread.favorites")} />}
      {isEmpty && (
        <p>
          {t("favorites.none")} <a href={paths.articles()}>{t("favorites.articles")}</a>
        </p>
      )}
      <ArticleLinks articles={isNewest ? articles.slice(0, SHOWN_AT_FIRST) : articles} />
      {more.length > 0 && (
        <details>
          <summary>{t("favorites.more", { count: more.length })}</summary>
          <ArticleLinks articles={more} />
        </details>
      )}
      {olderAfter && (
        <p>
          <a href={`${paths.account({ favorites: olderAfter })}#${PANEL}`}>
            {t("favorites.older")}
          </a>
        </p>
      )}
      {!isNewest && (
        <p>
          <a href={`${paths.account()}#${PANEL}`}>{t("favorites.newest")}</a>
        </p>
      )}
    </Panel>
  );
}

function ArticleLinks({ articles }: { articles: Favorite[] }) {
  if (articles.length === 0) return null;
  return (
    <ul className="rows">
      {articles.map(({ uid, href, title, about }) => (
        <li key={uid}>
          <a href={href}>{title}</a>
          <span className="soft small">{about}</span>
        </li>
      ))}
    </ul>
  );
}
