import { isFavorite, setFavorite } from "~/api/profile.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";

const SEE_OTHER = { status: 303 };

/** Whether the subscriber keeps the article; null for everybody else. */
export async function keptBy(visit: Visit, article: string): Promise<boolean | null> {
  const uid = subscriberIn(visit);
  return uid ? isFavorite(visit, uid, article) : null;
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
  visit.session.flash(
    saved.ok
      ? { type: "success", key: kept ? "favoriteKept" : "favoriteDropped" }
      : { type: "error", key: "dataError" },
  );
  return visit.redirect(paths.article(article), SEE_OTHER);
}

const subscriberIn = ({ session }: Visit) =>
  session.hasRole("vip") ? session.claims()?.uid : undefined;
