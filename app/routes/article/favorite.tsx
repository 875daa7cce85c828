import { mdiBookmark, mdiBookmarkOutline } from "@mdi/js";
import { Form } from "@remix-run/react";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { Icon } from "~/ui/icon";

/** The favorite button. It is a plain post, because the page does not hydrate. */
export function Favorite({ kept }: { kept: boolean }) {
  const t = useT("article");
  return (
    <Form method="post" className="share">
      <OwnerField />
      <Button small name="intent" value={kept ? "drop" : "keep"}>
        <Icon path={kept ? mdiBookmark : mdiBookmarkOutline} />
        {t(kept ? "favorite.drop" : "favorite.keep")}
      </Button>
    </Form>
  );
}
