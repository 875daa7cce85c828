import { NONE, type Found } from "~/api/found";
import { isFavorite, setFavorite } from "~/api/profile.server";
import { refuseButton } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";

const SEE_OTHER = { status: 303 };

/** Whether the subscriber keeps the article; none for everybody else. */
export async function keptBy(visit: Visit, article: string): Promise<Found<boolean>> {
  const uid = subscriberIn(visit);
  const kept = uid ? await isFavorite(visit, uid, article) : NONE;
  // The read may have told that the session has ended elsewhere.
  return subscriberIn(visit) ? kept : NONE;
}

/** Whom the API does not know as a subscriber, whatever the session says, signs in and comes back. */
export async function submitFavorite(visit: Visit, article: string, intent: unknown) {
  const { payload } = await visit.read("getArticle", { params: { uid: article } });
  const uid = subscriberIn(visit);
  const kept = intent !== "drop";
  const saved = uid && !payload.partial ? await setFavorite(visit, uid, article, kept) : null;
  if (!saved || !subscriberIn(visit)) {
    return visit.redirect(paths.login(paths.article(article)), SEE_OTHER);
  }
  if (!saved.ok) return refuseButton(visit, saved.error, "dataError");
  visit.session.flash({ type: "success", key: kept ? "favoriteKept" : "favoriteDropped" });
  return visit.redirect(paths.article(article), SEE_OTHER);
}

const subscriberIn = ({ session }: Visit) =>
  session.hasRole("vip") ? session.claims()?.uid : undefined;
