import type { Author, Category, Tag } from "~/contract/content";
import type { Visit } from "~/session/visit.server";
import { unavailable } from "./throw-response";
import { keepReads } from "./kept-reads.server";
import { openPublicApi } from "./public-api.server";
import { FAILED, found, type ReadResult, type NONE } from "./read-result";
import { readWholeList } from "./whole-list.server";

/** Authors, categories and tags by uid, in the API's order. */
export type Reference = {
  authors: Map<string, Author>;
  categories: Map<string, Category>;
  tags: Map<string, Tag>;
};

/** For a page that shows itself without the names. */
export const NO_REFERENCE: Reference = {
  authors: new Map(),
  categories: new Map(),
  tags: new Map(),
};

type Loaded = Exclude<ReadResult<Reference>, typeof NONE>;

const MAX_PAGES = 100;

const kept = keepReads<Reference>({ lifetimeMs: 60_000, max: 1 });

/**
 * The reference data, for a page that cannot be shown without it.
 * @throws Response 502 when it cannot be read
 */
export async function requireReference(visit: Visit): Promise<Reference> {
  const loaded = await findReference(visit);
  if (loaded.kind === "found") return loaded.value;
  return unavailable("The reference data cannot be read");
}

export async function findReference(visit: Visit): Promise<Loaded> {
  const loaded = await visit.timeBudget().wait<Loaded>(readReference(visit.url), FAILED);
  if (loaded.kind === "failed") visit.markIncomplete();
  return loaded;
}

/**
 * The reference data, for answers that are no pages.
 * @param url of the request
 */
export const readReference = (url: URL): Promise<Loaded> => kept("reference", () => load(url));

async function load(url: URL): Promise<Loaded> {
  const read = openPublicApi(url);
  const [authors, categories, tags] = await Promise.all([
    loadAll("listAuthors", (query) => read("listAuthors", { query })),
    loadAll("listCategories", (query) => read("listCategories", { query })),
    loadAll("listTags", (query) => read("listTags", { query })),
  ]);
  return authors && categories && tags ? found({ authors, categories, tags }) : FAILED;
}

type ListName = "listAuthors" | "listCategories" | "listTags";
type LoadPage<N extends ListName> = Parameters<typeof readWholeList<N>>[1]["loadPage"];
type ItemOf<N extends ListName> = Parameters<Parameters<typeof readWholeList<N>>[1]["take"]>[0];

/** All items of a list by uid. Null when one page cannot be read. */
async function loadAll<N extends ListName>(name: N, loadPage: LoadPage<N>) {
  const byUid = new Map<string, ItemOf<N>>();
  const take = (item: ItemOf<N>) => void byUid.set(item.uid, item);
  return (await readWholeList(name, { loadPage, take, maxPages: MAX_PAGES })) ? byUid : null;
}
