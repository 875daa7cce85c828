import { readMetadata, setFavorite } from "~/api/profile.server";
import { paths } from "~/paths";
import type { Visit } from "~/session/enter.server";

/** Whether the subscriber keeps the article; null for everybody else. */
export async function isFavorite(visit: Visit, article: string): Promise<boolean | null> {
  const { session } = visit;
  const uid = session.claims()?.uid;
  if (!uid || !session.hasRole("vip")) return null;
  const { profile } = await readMetadata(visit, uid);
  return profile?.favorites?.includes(article) ?? false;
}

/** What the session no longer allows leads to sign in, and back here. */
export async function submitFavorite(visit: Visit, article: string, intent: unknown) {
  const { payload } = await visit.read("getArticle", { params: { uid: article } });
  const { session } = visit;
  const uid = session.claims()?.uid;
  if (!uid || payload.partial)
    return visit.redirect(paths.login(paths.article(article)), SEE_OTHER);
  const kept = intent !== "drop";
  const saved = await setFavorite(visit, uid, article, kept);
  session.flash(
    saved.ok
      ? { type: "success", key: kept ? "favoriteKept" : "favoriteDropped" }
      : { type: "error", key: "dataError" },
  );
  return visit.redirect(paths.article(article), SEE_OTHER);
}

const SEE_OTHER = { status: 303 };
