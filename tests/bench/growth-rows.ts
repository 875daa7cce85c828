import { paths } from "~/paths";
import { BROWSER } from "./people";
import { cursorAfter, type House } from "./growth-house";

/**
 * One line of the table. `ask` sends the n-th request to a house. Pages that are the same for others have
 * another address each time, so that none is answered from the page cache.
 */
export type Row = {
  name: string;
  ask: (house: House, n: number) => Promise<Response>;
  /** Has one address only: once it is cached, its calls of `/api` stand for it. */
  mayBeCached?: true;
};

type Path = (house: House, n: number) => string;

const page = (name: string, who: "anyone" | "member" | "coach", path: Path): Row => ({
  name: `${name}, ${who}`,
  ask: (house, n) => house[who].open(path(house, n), { headers: BROWSER }),
});

/** Calls without a token, or with the one of a person. Nothing but the query grows in them. */
const call = (name: string, who: "anyone" | "member" | "coach", path: Path): Row => ({
  name: `/api: ${name}`,
  ask: (house, n) => {
    const token = house.tokens[who];
    const headers: HeadersInit = token ? { authorization: `Bearer ${token}` } : {};
    return fetch(`${house.site.origin}/api${path(house, n)}`, { headers });
  },
});

const article = ({ articles }: House, n: number) => articles[n] ?? "";

/** Before all articles, another one each time: the list behind it is the first page. */
const start = (n: number) => cursorAfter("2100-01-01T00:00:00.000Z", `n${n}`);

const CATEGORY = "signes";
const AUTHOR = "solene-arnoux";
const TAG = "lune";
const OTHER_TAG = "saturne";
const TAGS = { tags: [TAG, OTHER_TAG] };
/** Of all three, the small house has few articles: as many are asked for as it has. */
const ALL = `category=${CATEGORY}&author=${AUTHOR}&tag=${TAG}&length=1`;

const contentPages: Row[] = [
  { ...page("home", "anyone", () => paths.home()), mayBeCached: true },
  page("article", "anyone", (house, n) => paths.article(article(house, n))),
  page("article", "member", (house, n) => paths.article(article(house, n))),
  page("list", "anyone", ({ cursors }, n) => paths.articles({ after: cursors[n] })),
  page("list of a category", "anyone", (_, n) =>
    paths.articles({ categories: CATEGORY, after: start(n) }),
  ),
  page("search", "anyone", (_, n) => paths.articles({ q: `saturne ${"!".repeat(n % 90)}` })),
  page("list of tags", "member", (_, n) => paths.articles({ ...TAGS, after: start(n) })),
];

const personalPages: Row[] = [
  page("registration", "anyone", () => paths.registration()),
  page("account", "member", () => paths.account()),
  page("discussions", "member", () => paths.coaching()),
  page("thread", "member", ({ discussion }) => discussion),
  page("desk", "coach", () => paths.desk()),
  page("desk, active", "coach", () => paths.desk({ status: "active" })),
  page("desk ticket", "coach", ({ ticket }) => paths.deskTicket(ticket)),
];

const list = (name: string, query: string) =>
  call(name, "anyone", () => `/content/articles?${query}`);

const contentCalls: Row[] = [
  call("article", "anyone", (house, n) => `/content/articles/${article(house, n)}`),
  call("related", "anyone", (house, n) => `/content/articles/related/${article(house, n)}`),
  call("list", "anyone", ({ cursors }, n) => `/content/articles?after=${cursors[n]}`),
  list("list, oldest first", "sort[date]=asc"),
  list("list by menu", "sort[menu]=asc"),
  list("list by author name", "sort[author]=asc"),
  list("category, by menu", `category=${CATEGORY}&sort[menu]=asc`),
  list("tag, by author name", `tag=${TAG}&sort[author]=asc&length=5`),
  list("category", `category=${CATEGORY}`),
  list("author", `author=${AUTHOR}`),
  list("tag", `tag=${TAG}&length=5`),
  list("two tags", `tags=${TAG}&tags=${OTHER_TAG}`),
  list("two tags, oldest first", `tags=${TAG}&tags=${OTHER_TAG}&sort[date]=asc`),
  list("category, author and tag", ALL),
  list("search", "q=saturne"),
  list("search of two words", "q=saturne+maison"),
  list("search, filtered", `q=saturne&category=${CATEGORY}`),
  list("search by date", "q=saturne&sort[date]=desc"),
  call("favorites", "anyone", ({ articles }) => {
    const ids = articles.slice(0, 5).map((uid) => `ids=${uid}`);
    return `/content/articles?${ids.join("&")}`;
  }),
];

const personalCalls: Row[] = [
  call("own account", "member", ({ memberUid }) => `/users/${memberUid}`),
  call("own sessions", "member", ({ memberUid }) => `/users/${memberUid}/sessions`),
  call("own subscription", "member", () => "/subscriptions"),
  call("own discussions", "member", () => "/support/coaching/tickets"),
  call("own thread", "member", ({ discussion }) => {
    const uid = discussion.split("/").at(-1);
    return `/support/coaching/tickets/${uid}`;
  }),
  call("desk", "coach", () => "/desk/tickets"),
  call("desk, with a word", "coach", () => "/desk/tickets?query=saturne"),
  call("desk counts", "coach", () => "/desk/counts"),
  call("desk ticket", "coach", ({ ticket }) => `/desk/tickets/${ticket}`),
];

export const rows = [...contentPages, ...personalPages, ...contentCalls, ...personalCalls];
