import { mdiBookmark, mdiBookmarkOutline } from "@mdi/js";
import { Form } from "@remix-run/react";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icon";
import { FAVORITE_ANCHOR } from "./anchor";

export const FAVORITE_MESSAGES = ["favoriteKept", "favoriteDropped"] as const;

export const FAVORITE_NOTICE = "favori-message";

/**
 * The favorite button. It is a plain post, because the page does not hydrate; the answer leads back to the
 * button, which has the focus then, as before the press.
 */
export function Favorite({ kept, hasMessage }: { kept: boolean; hasMessage: boolean }) {
  const t = useT("article");
  return (
    <Form method="post" className="share">
      <OwnerField />
      <Button
        small
        id={FAVORITE_ANCHOR}
        name="intent"
        value={kept ? "drop" : "keep"}
        aria-describedby={hasMessage ? FAVORITE_NOTICE : undefined}
      >
        <Icon path={kept ? mdiBookmark : mdiBookmarkOutline} />
        {t(kept ? "favorite.drop" : "favorite.keep")}
      </Button>
    </Form>
  );
}
