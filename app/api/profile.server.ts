import { metadata, type Metadata } from "~/contract/accounts";
import type { Visit } from "~/session/enter.server";

type Profile = NonNullable<Metadata["profile"]>;

/** As the contract allows. */
const MAX_FAVORITES = 1000;

/** The person's metadata; text that is none counts as empty. */
export async function readMetadata(visit: Visit, uid: string): Promise<Metadata> {
  const { payload } = await visit.read("getMetadata", { params: { uid } });
  const parsed = metadata.safeParse(parseJson(payload.data));
  return parsed.success ? parsed.data : {};
}

export const saveName = (visit: Visit, uid: string, name: string) =>
  changeProfile(visit, uid, () => ({ name }));

/** Keeps an article, newest first and once, or lets it go. */
export const setFavorite = (visit: Visit, uid: string, article: string, kept: boolean) =>
  changeProfile(visit, uid, ({ favorites = [] }) => {
    const others = favorites.filter((favorite) => favorite !== article);
    return { favorites: kept ? [article, ...others].slice(0, MAX_FAVORITES) : others };
  });

/** What other programs keep beside stays as it is. */
async function changeProfile(visit: Visit, uid: string, change: (profile: Profile) => Profile) {
  const known = await readMetadata(visit, uid);
  const profile = { ...known.profile, ...change(known.profile ?? {}) };
  return visit.attempt("setMetadata", { params: { uid }, body: { ...known, profile } });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
