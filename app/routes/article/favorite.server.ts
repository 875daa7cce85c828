import { NONE, type ReadResult } from "~/api/read-result";
import { findIsFavorite, setFavorite } from "~/api/profile.server";
import { refuseButton } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/visit.server";
import { FAVORITE_ANCHOR } from "./anchor";

const SEE_OTHER = { status: 303 };

/** Whether the article is a favorite of the subscriber. `none` for other visitors. */
export async function findOwnFavorite(visit: Visit, article: string): Promise<ReadResult<boolean>> {
  const uid = subscriberUid(visit);
  const isFavorite = uid ? await findIsFavorite(visit, uid, article) : NONE;
  // The read may have disconnected the session, because it was ended on another device.
  return subscriberUid(visit) ? isFavorite : NONE;
}

/**
 * Adds or removes a favorite. If the API does not accept the visitor as a subscriber, the login page
 * comes first and leads back here.
 */
export async function submitFavorite(visit: Visit, article: string, intent: unknown) {
  const { payload } = await visit.require("getArticle", { params: { uid: article } });
  const uid = subscriberUid(visit);
  const isKept = intent !== "drop";
  const saved = uid && !payload.partial ? await setFavorite(visit, uid, article, isKept) : null;
  if (!saved || !subscriberUid(visit)) {
    return visit.redirect(paths.login(paths.article(article)), SEE_OTHER);
  }
  if (!saved.ok) return refuseButton(visit, saved.error, "dataError");
  visit.session.flash({ type: "success", key: isKept ? "favoriteKept" : "favoriteDropped" });
  return visit.redirect(`${paths.article(article)}#${FAVORITE_ANCHOR}`, SEE_OTHER);
}

const subscriberUid = ({ session }: Visit) =>
  session.hasRole("vip") ? session.claims()?.uid : undefined;
