import type { Article } from "../../../app/contract/content";
import type { Database } from "../database/tables";
import { okOrNotFound } from "../http/answers";
import { notFound } from "../http/refusal";
import type { Handlers } from "../http/types";
import type { Clock } from "../ports/clock";
import { countArticles, findArticle, findArticles } from "./articles";
import { findDraft } from "./drafts";
import type { DraftLinks } from "./draft-link";
import type { KnownIdentity } from "./identity";
import { showPictures } from "./images/pictures";
import { findMedias } from "./medias";
import type { Page } from "../paging/page";
import { findRedirection } from "./redirections";
import { findAuthors, findCategories, findPages, findTags } from "./references";
import { findCurrentTerms, findTerms } from "./terms";
import { findRelated } from "./related";
import { listFound } from "./search/list";
import { termsOf } from "./search/query";
import {
  articleOrder,
  articleSelection,
  mediaOrder,
  mediaSelection,
  mayReadWhole,
  articleBody,
} from "./rules";

/** Nothing was typed that can be searched for: the list is that without a search. */
const NOT_SEARCHED = { words: [], count: 0, isMinimum: false };

type Options = { db: Database; clock: Clock; known: KnownIdentity; drafts: DraftLinks };

/** Articles, reference data, pages, medias and moved addresses: `/api/content`, `/api/redirects`. */
export function contentHandlers({ db, clock, known, drafts }: Options): Handlers {
  return {
    ...articleHandlers(db),
    getDraft: async ({ params: { uid }, query: { token } }) =>
      okOrNotFound(drafts.isValid(uid, token, clock.now()) ? await findDraft(db, uid) : null),
    ...referenceHandlers(db),
    ...pageHandlers(db, known),
    listMedias: async ({ query, search }) =>
      listResponse(
        await findMedias(
          db,
          mediaSelection(query),
          mediaOrder(query.sort, sortKeys(search)),
          query,
        ),
      ),
    getMedia: async ({ params }) =>
      firstResponse(
        await findMedias(db, { ids: [params.uid], authors: [] }, mediaOrder({}, []), {}),
      ),
    getRedirection: async ({ query }) => okOrNotFound(await findRedirection(db, query.path)),
  };
}

function articleHandlers(db: Database) {
  return {
    listArticles: async ({ query, search, principal }) => {
      const order = articleOrder(query.sort, sortKeys(search));
      const selection = articleSelection(query);
      const terms = termsOf(query.q ?? "");
      if (terms.length === 0) {
        const { status, body } = listResponse(await findArticles(db, selection, order, query));
        const total = await countArticles(db, selection);
        const search = query.q?.trim() ? NOT_SEARCHED : undefined;
        return { status, body: { ...body, ...(search && { search }), ...(total && { total }) } };
      }
      const whole = mayReadWhole(principal);
      const sorted = query.sort ? order : null;
      const found = await listFound(db, { terms, selection, order: sorted, whole }, query);
      const { status, body } = listResponse(found);
      return { status, body: { ...body, search: found.search } };
    },
    getArticle: async ({ params, principal }) => {
      const article = await findArticle(db, params.uid, { whole: mayReadWhole(principal) });
      return okOrNotFound(article && (await withPictures(db, articleBody(article))));
    },
    listRelatedArticles: async ({ params }) => {
      const article = await findArticle(db, params.uid, { whole: false });
      if (!article) throw notFound();
      const rows = await findRelated(db, article);
      return listResponse({ rows, page: { hasNextPage: false, endCursor: null } });
    },
  } satisfies Handlers;
}

function referenceHandlers(db: Database) {
  return {
    listAuthors: async ({ query }) => listResponse(await findAuthors(db, query)),
    getAuthor: async ({ params }) => firstResponse(await findAuthors(db, { ids: [params.uid] })),
    listCategories: async ({ query }) => listResponse(await findCategories(db, query)),
    getCategory: async ({ params }) =>
      firstResponse(await findCategories(db, { ids: [params.uid] })),
    listTags: async ({ query }) => listResponse(await findTags(db, query)),
    getTag: async ({ params }) => firstResponse(await findTags(db, { ids: [params.uid] })),
  } satisfies Handlers;
}

function pageHandlers(db: Database, known: KnownIdentity) {
  return {
    listPages: async ({ query }) => listResponse(await findPages(db, query, known)),
    getTerms: async ({ params }) => {
      const version = await findTerms(db, params.digest);
      const current = await findCurrentTerms(db);
      return okOrNotFound(
        version && {
          digest: version.digest,
          title: version.title,
          body: version.body,
          sinceDateTime: version.recorded_at,
          appliesDateTime: version.applies_at,
          current: version.digest === current?.digest,
        },
      );
    },
    getPage: async ({ params }) => firstResponse(await findPages(db, { ids: [params.uid] }, known)),
  } satisfies Handlers;
}

async function withPictures(db: Database, article: Article): Promise<Article> {
  const [body = ""] = await showPictures(db, [article.body]);
  return { ...article, body };
}

const listResponse = <Row>({ rows, page }: Page<Row>) =>
  ({ status: 200, body: { payload: rows, page } }) as const;

const firstResponse = <Row>({ rows }: Page<Row>) => okOrNotFound(rows[0]);

/** The sort keys in their order in the query (`sort[menu]=asc&sort[date]=desc`). */
const sortKeys = (search: URLSearchParams): string[] =>
  [...search.keys()].flatMap((key) => /^sort\[(\w+)\]$/.exec(key)?.[1] ?? []);
