import { paths } from "~/paths";
import type { Visitor } from "../support/pages";
import type { Site } from "../support/site";
import { BROWSER, visitorAt, type Member } from "./people";

/** One line of the table: who asks for what, and what the answer must be. */
export type Row = {
  name: string;
  visitor: Visitor;
  path: string;
  encoding: "br" | "gzip";
  /** Of the answer; files and short answers may have another one. */
  encoded: "br" | "gzip" | null;
  /** Words that only this answer has: of a page, its title. */
  words: string;
  /** Requests per second at least, as share of the constant. */
  goal?: number;
  /** Its p99 is bounded: the page comes from the cache. */
  isCached?: true;
  /** Part of the requests of the memory run: the costly rows have less, so that it ends. */
  weight: number;
};

type People = { member: Member; coach: Visitor };
type Part = Pick<Row, "name" | "path" | "words"> & Partial<Row>;

const OFTEN = 5;
const RARELY = 1;

/** The rows of the bench, in the order of the table. */
export async function rowsOf(site: Site, { member, coach }: People): Promise<Row[]> {
  const anyone = visitorAt(site);
  const article = await restrictedArticle(site);
  const page = paths.article(article.uid);
  const api = `/api/content/articles/${article.uid}`;
  const [home, list] = ["Cap Céleste - Accueil", "Cap Céleste - Articles"];
  const filtered = paths.articles({ categories: [article.category] });
  const cached = { isCached: true, goal: 0.5 } as const;
  const rare = { weight: RARELY };
  const asMember = { visitor: member.visitor };
  const parts: Part[] = [
    { name: "article", path: page, words: article.title, ...cached },
    { name: "article, gzip", path: page, words: article.title, encoding: "gzip", ...cached },
    { name: "home", path: paths.home(), words: home, ...cached },
    { name: "list", path: paths.articles(), words: list, ...cached },
    // Its title is the category's name.
    { name: "list, filtered", path: filtered, words: "Cap Céleste - ", ...cached, goal: 0.4 },
    { name: "article, subscriber", path: page, words: article.title, ...asMember, goal: 0.1 },
    { name: "home, subscriber", path: paths.home(), words: home, ...asMember },
    { name: "list, coach", path: paths.articles(), words: list, visitor: coach },
    {
      name: "registration",
      path: paths.registration(),
      words: "Inscription",
      goal: 0.006,
      ...rare,
    },
    { name: "contact", path: paths.contactNewTicket(), words: "Écrire un message", ...rare },
    {
      name: "account",
      path: paths.account(),
      words: "Mon compte",
      ...asMember,
      goal: 0.004,
      ...rare,
    },
    { name: "thread", path: member.discussion, words: "Mon thème", ...asMember, ...rare },
    { name: "/api article", path: api, words: article.title, encoded: "gzip", goal: 0.05 },
    { name: "/healthz", path: "/healthz", words: "ok", encoded: null, goal: 0.4 },
    { name: "static file", path: await styleSheet(anyone), words: "@layer" },
  ];
  return parts.map((part) => ({
    visitor: anyone,
    weight: OFTEN,
    encoding: "br",
    encoded: part.encoding ?? "br",
    ...part,
  }));
}

/**
 * Asks once like the load that follows, and keeps the cookies of the answer, as a browser does.
 * @throws Error when the answer is another one than the row means
 */
export async function checkAnswer(row: Row) {
  const answer = await row.visitor.get(row.path, headersOf(row));
  const encoded = answer.headers.get("content-encoding");
  const title = answer.dom.querySelector("title")?.text;
  const hasWords = (title ?? answer.html).includes(row.words);
  if (answer.status === 200 && encoded === row.encoded && hasWords) return;
  const what = `${answer.status}, ${encoded}, ${title ?? answer.html.slice(0, 100)}`;
  throw new Error(`${row.name} is answered otherwise: ${what}`);
}

/** The headers of a row without its cookies. */
export const headersOf = ({ encoding }: Row) => ({ ...BROWSER, "accept-encoding": encoding });

async function restrictedArticle(site: Site) {
  const answer = await fetch(`${site.origin}/api/content/articles?length=100`);
  const { payload } = (await answer.json()) as {
    payload: { uid: string; title: string; category: string; restricted: boolean }[];
  };
  const found = payload.find(({ restricted }) => restricted);
  if (!found) throw new Error("The demonstration has no restricted article");
  return found;
}

async function styleSheet(visitor: Visitor): Promise<string> {
  const { dom } = await visitor.get(paths.home());
  const path = dom.querySelector("link[rel=stylesheet]")?.getAttribute("href");
  if (!path) throw new Error("The home page has no style sheet");
  return path;
}
