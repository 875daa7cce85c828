import type { Author, Category, Tag } from "~/contract/content";
import { logBrokenCall, logEndlessList } from "~/log.server";
import { siteOrigin, type Visit } from "~/session/enter.server";
import { unavailable } from "./as-response";
import { createApi, type Api, type Outcome } from "./client";
import { FAILED, found, type Found, type NONE } from "./found";
import { doorFor } from "./transport.server";

/** Authors, categories and tags by uid, in their order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

const LIFETIME_MS = 60_000;
const ALL = 100;
/** Of an API whose cursors lead in a circle nobody waits for the end. */
const MAX_PAGES = 100;

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

/**
 * Every visitor is shown what is held: it is asked for in nobody's name, so that no token's answer
 * reaches another person.
 */
async function load({ url }: Visit): Promise<Loaded> {
  const { attempt } = createApi({
    ...doorFor(siteOrigin(url)),
    bearer: () => undefined,
    onNextToken: () => undefined,
  });
  const read = tellingFailures(attempt, url);
  const [authors, categories, tags] = await Promise.all([
    all("listAuthors", (query) => read("listAuthors", { query })),
    all("listCategories", (query) => read("listCategories", { query })),
    all("listTags", (query) => read("listTags", { query })),
  ]);
  return authors && categories && tags ? found({ authors, categories, tags }) : FAILED;
}

/** Whatever it is, the visitor cannot have caused it. */
const tellingFailures =
  (attempt: Api["attempt"], url: URL): Api["attempt"] =>
  async (name, input) => {
    const outcome = await attempt(name, input);
    if (!outcome.ok) logBrokenCall(outcome.error, url);
    return outcome;
  };

type ListName = "listAuthors" | "listCategories" | "listTags";
type ItemOf<N extends ListName> = Extract<Outcome<N>, { ok: true }>["value"]["payload"][number];
type Query = { length: number; after?: string };

/** Null when a part of the list cannot be read. */
async function all<N extends ListName>(name: N, list: (query: Query) => Promise<Outcome<N>>) {
  const byUid = new Map<string, ItemOf<N>>();
  let after: string | undefined;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const outcome = await list({ length: ALL, ...(after && { after }) });
    if (!outcome.ok) return null;
    const { payload, page } = outcome.value;
    for (const item of payload) byUid.set(item.uid, item);
    if (!page.hasNextPage || page.endCursor === null) return byUid;
    after = page.endCursor;
  }
  logEndlessList(name);
  return null;
}
