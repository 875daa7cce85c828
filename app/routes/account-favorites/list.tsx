import { Form } from "@remix-run/react";
import { Fragment } from "react";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { OwnMessages, useOwnMessages } from "~/layout/flash";
import { ArticleCard, type ArticleCardData } from "~/ui/article-card";
import { Button } from "~/ui/button";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { DROPPED, DROPPED_MESSAGES } from "./dropped";

export type FavoriteCard = {
  article: ArticleCardData;
  /** Where the post that removes it goes, and leads back to. */
  action: string;
};

type FavoriteListProps = {
  favorites: FavoriteCard[];
  /** The favorite that took the place of a removed one, or stands before that place. */
  place: string | null;
};

/**
 * The favorites as cards. After one was removed, its place in the list says so: there the page opens, and the
 * next stop of the keyboard is the card beside it.
 */
export function FavoriteList({ favorites, place }: FavoriteListProps) {
  const messages = useOwnMessages(DROPPED_MESSAGES);
  return (
    <ul className="grid" data-more-into>
      {favorites.map(({ article, action }) => (
        <Fragment key={article.uid}>
          {article.uid === place && messages.length > 0 && (
            <li className="grid__row" id={DROPPED}>
              <OwnMessages messages={messages} />
            </li>
          )}
          <li>
            <ArticleCard article={article}>
              <Drop article={article} action={action} />
            </ArticleCard>
          </li>
        </Fragment>
      ))}
    </ul>
  );
}

/** A plain post, because the page does not hydrate. */
function Drop({ article: { uid, title }, action }: FavoriteCard) {
  const t = useT("favorites");
  return (
    <Form method="post" action={action} className="card__action">
      <OwnerField />
      <input type="hidden" name="article" value={uid} />
      <Button small>
        {t("drop")} <VisuallyHidden>{title}</VisuallyHidden>
      </Button>
    </Form>
  );
}
