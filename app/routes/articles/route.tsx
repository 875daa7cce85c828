import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { articleCardsOf } from "~/api/cards.server";
import { requireReference, type Reference } from "~/api/reference.server";
import type { ArticleSearch, ArticleTotal } from "~/contract/content";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { filePaths, paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { feedTitle } from "~/sharing/feed.server";
import { siteShare } from "~/sharing/share.server";
import { ArticleGrid } from "~/ui/article-grid";
import { ButtonLink } from "~/ui/button";
import { Chips } from "~/ui/chips";
import { EmptyState } from "~/ui/empty-state";
import { LoadMore } from "~/ui/load-more";
import { FilterForm, SearchField, type Choices } from "./filter-form";
import {
  countFilters,
  toAddress,
  toQuery,
  KINDS,
  PARAMETERS,
  readFilters,
  removeFilters,
  type Filters,
} from "./filters";
import { ListHeading } from "./heading";
import { describeList } from "./heading.server";

export const meta = pageMeta;

export const handle = declarePage({
  breadcrumb: false,
  shared: PARAMETERS,
  perRole: [],
  thirdParties: true,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const filters = readFilters(visit.url.searchParams);
  const [list, reference] = await Promise.all([
    visit.require("listArticles", { query: toQuery(filters) }),
    requireReference(visit),
  ]);
  const { hasNextPage, endCursor } = list.page;
  const choices = choicesOf(reference);
  const cards = { reference, isSubscriber: visit.session.hasRole("vip") };
  const { heading, ...described } = describeList(visit, filters, reference);
  return {
    page: visit.describePage({
      title: heading.title,
      ...described,
      share: siteShare(),
      feed: feedOf(filters, reference),
    }),
    heading,
    filters,
    choices,
    chips: [...searchChips(visit, filters), ...chipsOf(filters, choices)],
    articles: articleCardsOf(list.payload, cards, {
      isContinued: filters.after !== undefined,
      hasNextPage,
    }),
    search: filters.q && list.search ? list.search : null,
    total: list.total ?? null,
    state: stateOf(visit, filters, list),
    next: hasNextPage ? paths.articles(toAddress(filters, endCursor)) : null,
  };
}

type Counted = { search?: ArticleSearch | undefined; total?: ArticleTotal | undefined };

export default function ArticlesPage() {
  const { heading, filters, choices, chips, articles, search, total, state, next } =
    useLoaderData<typeof loader>();
  const t = useT("articles");
  const isUnsearched = search?.words.length === 0;
  return (
    <div className="container page">
      <ListHeading heading={heading} />
      <SearchField words={filters.q} />
      <div className="split split--start">
        <FilterForm filters={{ ...filters, after: undefined }} choices={choices} state={state} />
        <div className="stack stack--l">
          <Chips items={chips} clearHref={paths.articles()} />
          {search && (articles.length > 0 || isUnsearched) && (
            <Found words={filters.q} search={search} />
          )}
          {total && articles.length > 0 && <Total total={total} />}
          {articles.length > 0 ? (
            <ArticleGrid articles={articles} />
          ) : (
            <NoArticle filters={filters} isUnsearched={isUnsearched} />
          )}
          {next && <LoadMore href={next} />}
          {filters.after && (
            <p>
              <a
                className="lone"
                href={paths.articles(toAddress({ ...filters, after: undefined }))}
              >
                {t("first")}
              </a>
            </p>
          )}
        </div>
      </div>
    </div>
  );
}

/** What the list shows: its filters, and its articles where they are counted. */
function stateOf({ t }: Visit, filters: Filters, { search, total }: Counted) {
  const active = countFilters(filters);
  const filtered =
    active > 0 ? t("articles", "state.filters", { count: active }) : t("articles", "state.none");
  const counted = total ?? (filters.q && search?.words.length ? search : null);
  if (!counted) return t("articles", "state.shown", { state: filtered });
  const { count, isMinimum } = counted;
  const found = t("articles", isMinimum ? "state.many" : "total.exact", { count });
  return t("articles", "state.shown", { state: `${found}, ${filtered}` });
}

/** The feed of the chosen category, and of all articles where there is no single one. */
function feedOf({ categories }: Filters, reference: Reference) {
  const [uid, ...others] = categories;
  const name = uid !== undefined && reference.categories.get(uid)?.name;
  return name && others.length === 0
    ? { title: feedTitle(name), path: filePaths.feed(uid) }
    : { title: feedTitle(), path: filePaths.feed() };
}

/** How many articles were found. */
function Found({ words, search }: { words: string; search: ArticleSearch }) {
  const t = useT("articles");
  const { count, isMinimum } = search;
  if (search.words.length === 0) return <p>{t("search.tooCommon", { words })}</p>;
  return <p role="status">{t(isMinimum ? "search.many" : "search.found", { count, words })}</p>;
}

function Total({ total: { count, isMinimum } }: { total: ArticleTotal }) {
  const t = useT("articles");
  return <p role="status">{t(isMinimum ? "total.many" : "total.exact", { count })}</p>;
}

/** `isUnsearched`: no typed word can be searched, so that only the filters left nothing. */
function NoArticle({ filters, isUnsearched }: { filters: Filters; isUnsearched: boolean }) {
  const t = useT("articles");
  const { q: words } = filters;
  if (words === "" || isUnsearched) {
    return (
      <EmptyState title={t("empty.title")} text={t("empty.text")}>
        <ButtonLink href={paths.articles()}>{t("clear")}</ButtonLink>
      </EmptyState>
    );
  }
  const href = paths.articles(toAddress({ ...filters, q: "" }));
  const isFiltered = KINDS.some((kind) => filters[kind].length > 0);
  const hint = t(isFiltered ? "search.hintFiltered" : "search.hint");
  return (
    <EmptyState title={t("search.none", { words })} text={hint}>
      <ButtonLink href={href}>{t("search.clear")}</ButtonLink>
    </EmptyState>
  );
}

function choicesOf(reference: Reference): Choices {
  const names = (items: Map<string, { uid: string; name: string }>) =>
    [...items.values()].map(({ uid, name }) => ({ uid, name }));
  return {
    categories: names(reference.categories),
    authors: names(reference.authors),
    tags: names(reference.tags),
  };
}

/** The search as a chip, linked to the list without it. */
function searchChips({ t }: Visit, filters: Filters) {
  if (filters.q === "") return [];
  const label = t("articles", "search.chip", { words: filters.q });
  return [{ label, href: paths.articles(toAddress({ ...filters, q: "" })) }];
}

/** One chip per active filter, linked to the list without it. Unknown uids share one chip. */
function chipsOf(filters: Filters, choices: Choices) {
  return KINDS.flatMap((kind) => {
    const chosen = new Set(filters[kind]);
    const known = choices[kind].filter(({ uid }) => chosen.has(uid));
    for (const { uid } of known) chosen.delete(uid);
    const [unknown] = chosen;
    const chips = known.map(({ uid, name }) => ({ label: name, uids: [uid] }));
    if (unknown !== undefined) chips.push({ label: unknown, uids: [...chosen] });
    return chips.map(({ label, uids }) => ({
      label,
      href: paths.articles(toAddress(removeFilters(filters, kind, uids))),
    }));
  });
}
