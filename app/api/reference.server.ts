import type { Author, Category, Tag } from "~/contract/content";
import type { Visit } from "~/session/enter.server";

/** Authors, categories and tags by uid, in their order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

const LIFETIME_MS = 60_000;
const ALL = 100;

let held: { loaded: Promise<Reference>; until: number } | undefined;

/** Read once and held, for a minute at most: an import in another process shows soon. */
export function reference(visit: Visit): Promise<Reference> {
  if (!held || held.until < Date.now()) {
    const loaded = load(visit);
    held = { loaded, until: Date.now() + LIFETIME_MS };
    loaded.catch(() => (held = undefined));
  }
  return held.loaded;
}

async function load({ read }: Visit): Promise<Reference> {
  const [authors, categories, tags] = await Promise.all([
    all((query) => read("listAuthors", { query })),
    all((query) => read("listCategories", { query })),
    all((query) => read("listTags", { query })),
  ]);
  return { authors, categories, tags };
}

type List<T> = { payload: T[]; page: { hasNextPage: boolean; endCursor: string | null } };
type Query = { length: number; after?: string };

async function all<T extends { uid: string }>(list: (query: Query) => Promise<List<T>>) {
  const byUid = new Map<string, T>();
  let after: string | undefined;
  do {
    const { payload, page } = await list({ length: ALL, ...(after && { after }) });
    for (const item of payload) byUid.set(item.uid, item);
    after = page.hasNextPage ? (page.endCursor ?? undefined) : undefined;
  } while (after);
  return byUid;
}
