import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { articleCardsOf } from "~/api/cards.server";
import { findFavorites, type Favorites } from "~/api/favorites.server";
import { findMetadata } from "~/api/profile.server";
import { mapResult } from "~/api/read-result";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { OwnMessages, useOwnMessages } from "~/layout/flash";
import { paths, serverPaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { ButtonLink } from "~/ui/button";
import { EmptyState } from "~/ui/empty-state";
import { LoadMore } from "~/ui/load-more";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { dropFavorite } from "./drop.server";
import { DROPPED_MESSAGES } from "./dropped";
import { dropForm } from "./form";
import { FavoriteList, type FavoriteCard } from "./list";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["vip"],
  ownMessages: DROPPED_MESSAGES,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const { searchParams } = visit.url;
  const metadata = await findMetadata(visit, uidOf(visit));
  const read = await findFavorites(visit, metadata, searchParams.get("after"));
  const unread = read.kind === "failed" && visit.markUnread(visit.t("favorites", "unread"));
  const list = mapResult(read, (favorites) => listOf(favorites, searchParams));
  return {
    page: visit.describePage({ title: visit.t("favorites", "title") }),
    unread,
    list: list.kind === "found" ? list.value : null,
    newest: serverPaths.accountFavorites(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, dropForm);
  if (isForeign(form)) return refuseForeign(visit);
  return dropFavorite(visit, uidOf(visit), form);
}

export default function FavoritesPage() {
  const { list, unread, newest } = useLoaderData<typeof loader>();
  const t = useT("favorites");
  const messages = useOwnMessages(DROPPED_MESSAGES);
  const { favorites = [], next = null, isNewest = true, place = null } = list ?? {};
  const isEmpty = !unread && favorites.length === 0 && !next && isNewest;
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      {place === null && <OwnMessages messages={messages} />}
      {unread && <Unread text={unread} />}
      {isEmpty && (
        <EmptyState title={t("empty.title")} text={t("empty.text")}>
          <ButtonLink look="primary" href={paths.articles()}>
            {t("articles")}
          </ButtonLink>
        </EmptyState>
      )}
      {!isNewest && (
        <p>
          <a className="lone" href={newest}>
            {t("newest")}
          </a>
        </p>
      )}
      {favorites.length > 0 && <FavoriteList favorites={favorites} place={place} />}
      {next && <LoadMore href={next} text={t("more")} />}
    </div>
  );
}

/** A page of the list, and where a favorite was removed from it. */
function listOf({ articles, reference, isNewest, olderAfter }: Favorites, query: URLSearchParams) {
  const cards = articleCardsOf(
    articles,
    { reference, isSubscriber: true },
    { isContinued: !isNewest, hasNextPage: olderAfter !== null },
  );
  const after = isNewest ? undefined : (query.get("after") ?? undefined);
  const favorites = cards.map((article, index): FavoriteCard => {
    const beside = cards[index + 1] ?? cards[index - 1];
    // Where no card is left on a later page, the list begins anew.
    const back = beside ? { after, at: beside.uid } : {};
    return { article, action: serverPaths.accountFavorites(back) };
  });
  return {
    favorites,
    isNewest,
    next: olderAfter && serverPaths.accountFavorites({ after: olderAfter }),
    place: cards.find(({ uid }) => uid === query.get("at"))?.uid ?? null,
  };
}

const uidOf = ({ session }: Visit) => session.claims()?.uid ?? "";
