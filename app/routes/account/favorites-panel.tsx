import type { LatestFavorites } from "./favorites.server";
import type { ReadResult } from "~/api/read-result";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { Panel } from "~/ui/panel";
import { Unread } from "~/ui/unread";

const NONE: LatestFavorites = { latest: [], isEmpty: true };

/** The latest favorite articles, in a part that only the server renders (`ServerPart`). */
export function FavoritesPanel({ favorites }: { favorites: ReadResult<LatestFavorites> }) {
  const t = useT("favorites");
  const isUnread = favorites.kind === "failed";
  const { latest, isEmpty } = favorites.kind === "found" ? favorites.value : NONE;
  return (
    <Panel title={t("title")} id="favorites">
      {isUnread && <Unread text={t("unread")} />}
      {!isUnread && isEmpty && (
        <p>
          {t("none")} <a href={paths.articles()}>{t("articles")}</a>
        </p>
      )}
      {latest.length > 0 && (
        <ul className="rows">
          {latest.map(({ uid, href, title, about }) => (
            <li key={uid}>
              <a href={href}>{title}</a>
              <span className="soft small">{about}</span>
            </li>
          ))}
        </ul>
      )}
      {!isEmpty && (
        <p>
          <a className="lone" href={serverPaths.accountFavorites()}>
            {t("all")}
          </a>
        </p>
      )}
    </Panel>
  );
}
