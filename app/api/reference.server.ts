import type { Author, Category, Tag } from "~/contract/content";
import { logBrokenCall, logEndlessList } from "~/log.server";
import { siteOrigin } from "~/session/page-request.server";
import type { Visit } from "~/session/visit.server";
import { unavailable } from "./throw-response";
import { createApi, type Api, type Outcome } from "./client";
import { FAILED, found, type ReadResult, type NONE } from "./read-result";
import { carrierFor, contentRevision } from "./transport.server";

/** Authors, categories and tags by uid, in the API's order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

const LIFETIME_MS = 60_000;
const PAGE_LENGTH = 100;
/** Bounds the reading of a list whose cursors form a cycle. */
const MAX_PAGES = 100;

type Loaded = Exclude<ReadResult<Reference>, typeof NONE>;

let cached: { loaded: Promise<Loaded>; until: number; revision: string } | undefined;

/**
 * The reference data, for a page that cannot be shown without it.
 * @throws Response 502 when it cannot be read
 */
export async function requireReference(visit: Visit): Promise<Reference> {
  const loaded = await findReference(visit);
  if (loaded.kind === "found") return loaded.value;
  return unavailable("The reference data cannot be read");
}

/** Caches the data until the content changes, and for one minute where the API does not tell. */
export async function findReference(visit: Visit): Promise<Loaded> {
  const revision = await contentRevision();
  if (!cached || cached.until < Date.now() || cached.revision !== revision) {
    const loaded = load(visit);
    cached = { loaded, until: Date.now() + LIFETIME_MS, revision };
    const forget = () => (cached = undefined);
    loaded.then(({ kind }) => kind === "failed" && forget(), forget);
  }
  const loaded = await cached.loaded;
  if (loaded.kind === "failed") visit.markIncomplete();
  return loaded;
}

/**
 * Loads the lists without a token, because the cache serves every visitor: no answer to one person's
 * token may reach another person.
 */
async function load({ url }: Visit): Promise<Loaded> {
  const { attempt } = createApi({
    carrier: carrierFor({ origin: siteOrigin(url) }),
    bearer: () => undefined,
    onNextToken: () => undefined,
  });
  const read = loggingFailures(attempt, url);
  const [authors, categories, tags] = await Promise.all([
    loadAll("listAuthors", (query) => read("listAuthors", { query })),
    loadAll("listCategories", (query) => read("listCategories", { query })),
    loadAll("listTags", (query) => read("listTags", { query })),
  ]);
  return authors && categories && tags ? found({ authors, categories, tags }) : FAILED;
}

/** Logs each failure as a fault of the API: without input or token, the visitor cannot cause one. */
const loggingFailures =
  (attempt: Api["attempt"], url: URL): Api["attempt"] =>
  async (name, input) => {
    const outcome = await attempt(name, input);
    if (!outcome.ok) logBrokenCall(outcome.error, url);
    return outcome;
  };

type ListName = "listAuthors" | "listCategories" | "listTags";
type ItemOf<N extends ListName> = Extract<Outcome<N>, { ok: true }>["value"]["payload"][number];
type Query = { length: number; after?: string };

/** Loads all pages of a list. Null when one page cannot be read. */
async function loadAll<N extends ListName>(
  name: N,
  loadPage: (query: Query) => Promise<Outcome<N>>,
) {
  const byUid = new Map<string, ItemOf<N>>();
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const outcome = await loadPage({ length: PAGE_LENGTH, ...(after && { after }) });
    if (!outcome.ok) return null;
    const { payload, page } = outcome.value;
    for (const item of payload) byUid.set(item.uid, item);
    if (!page.hasNextPage || page.endCursor === null) return byUid;
    after = page.endCursor;
  }
  logEndlessList(name);
  return null;
}
