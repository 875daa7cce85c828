import type { Author, Category, Tag } from "~/contract/content";
import { unavailable } from "./as-response";
import { FAILED, found, type Found, type NONE } from "./found";
import type { Visit } from "~/session/enter.server";

/** Authors, categories and tags by uid, in their order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

const LIFETIME_MS = 60_000;
const ALL = 100;

type Loaded = Exclude<Found<Reference>, typeof NONE>;

let held: { loaded: Promise<Loaded>; until: number } | undefined;

/**
 * For a page that is nothing without it.
 * @throws Response the error page, when it cannot be read
 */
export async function reference(visit: Visit): Promise<Reference> {
  const loaded = await findReference(visit);
  if (loaded.kind === "found") return loaded.value;
  return unavailable("The reference data cannot be read");
}

/** Read once and held, for a minute at most: an import in another process shows soon. */
export function findReference(visit: Visit): Promise<Loaded> {
  if (!held || held.until < Date.now()) {
    const loaded = load(visit);
    held = { loaded, until: Date.now() + LIFETIME_MS };
    const forget = () => (held = undefined);
    loaded.then(({ kind }) => kind === "failed" && forget(), forget);
  }
  return held.loaded;
}

async function load({ find }: Visit): Promise<Loaded> {
  const [authors, categories, tags] = await Promise.all([
    all((query) => find("listAuthors", { query })),
    all((query) => find("listCategories", { query })),
    all((query) => find("listTags", { query })),
  ]);
  return authors && categories && tags ? found({ authors, categories, tags }) : FAILED;
}

type List<T> = { payload: T[]; page: { hasNextPage: boolean; endCursor: string | null } };
type Query = { length: number; after?: string };

/** Null when a part of the list cannot be read. */
async function all<T extends { uid: string }>(list: (query: Query) => Promise<Found<List<T>>>) {
  const byUid = new Map<string, T>();
  let after: string | undefined;
  do {
    const read = await list({ length: ALL, ...(after && { after }) });
    if (read.kind !== "found") return null;
    const { payload, page } = read.value;
    for (const item of payload) byUid.set(item.uid, item);
    after = page.hasNextPage ? (page.endCursor ?? undefined) : undefined;
  } while (after);
  return byUid;
}
