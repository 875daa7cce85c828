import type { Author, Category, Tag } from "~/contract/content";
import { FAILED, found, type ReadResult, type NONE } from "./read-result";
import type { Visit } from "~/session/visit.server";

/** Authors, categories and tags by uid, in the API's order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

const LIFETIME_MS = 60_000;
const PAGE_LENGTH = 100;

type Loaded = Exclude<ReadResult<Reference>, typeof NONE>;

let cached: { loaded: Promise<Loaded>; until: number } | undefined;

/**
 * The reference data, for a page that cannot be shown without it.
 * @throws Response 502 when it cannot be read
 */
export async function requireReference(visit: Visit): Promise<Reference> {
  const loaded = await findReference(visit);
  if (loaded.kind === "found") return loaded.value;
  throw new Response(null, { status: 502, statusText: "The reference data cannot be read" });
}

/** The data is cached for one minute, so that an import by another process shows soon. */
export function findReference(visit: Visit): Promise<Loaded> {
  if (!cached || cached.until < Date.now()) {
    const loaded = load(visit);
    cached = { loaded, until: Date.now() + LIFETIME_MS };
    const forget = () => (cached = undefined);
    loaded.then(({ kind }) => kind === "failed" && forget(), forget);
  }
  return cached.loaded;
}

async function load({ find }: Visit): Promise<Loaded> {
  const [authors, categories, tags] = await Promise.all([
    loadAll((query) => find("listAuthors", { query })),
    loadAll((query) => find("listCategories", { query })),
    loadAll((query) => find("listTags", { query })),
  ]);
  return authors && categories && tags ? found({ authors, categories, tags }) : FAILED;
}

type List<T> = { payload: T[]; page: { hasNextPage: boolean; endCursor: string | null } };
type Query = { length: number; after?: string };

/** Loads all pages of a list. Null when one page cannot be read. */
async function loadAll<T extends { uid: string }>(
  loadPage: (query: Query) => Promise<ReadResult<List<T>>>,
) {
  const byUid = new Map<string, T>();
  let after: string | undefined;
  do {
    const result = await loadPage({ length: PAGE_LENGTH, ...(after && { after }) });
    if (result.kind !== "found") return null;
    const { payload, page } = result.value;
    for (const item of payload) byUid.set(item.uid, item);
    after = page.hasNextPage ? (page.endCursor ?? undefined) : undefined;
  } while (after);
  return byUid;
}
