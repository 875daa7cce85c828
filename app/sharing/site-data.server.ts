import { convert } from "html-to-text";
import type {
  FAQPage,
  Organization,
  SearchAction,
  WebSite,
  WithActionConstraints,
  WithContext,
} from "schema-dts";
import { config } from "~/config.server";
import { filePaths, paths } from "~/paths";

/** The parameter of the list of articles that holds the words of a search. */
const SEARCH_PARAMETER = "q";

/** What search engines read on the home page: who runs the site, how to search it, and its questions. */
export function homeData(questions: string, origin: string) {
  const asked = questionsData(questions);
  return [organizationData(origin), webSiteData(origin), ...(asked ? [asked] : [])];
}

function organizationData(origin: string): WithContext<Organization> {
  return {
    "@context": "https://schema.org",
    "@type": "Organization",
    name: config().siteTitle,
    url: origin + paths.home(),
    logo: origin + filePaths.siteLogo(),
  };
}

function webSiteData(origin: string): WithContext<WebSite> {
  const search: WithActionConstraints<SearchAction> = {
    "@type": "SearchAction",
    target: {
      "@type": "EntryPoint",
      urlTemplate: `${origin}${paths.articles()}?${SEARCH_PARAMETER}={search_term_string}`,
    },
    "query-input": "required name=search_term_string",
  };
  return {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: config().siteTitle,
    url: origin + paths.home(),
    inLanguage: "fr",
    potentialAction: search,
  };
}

const MAX_QUESTIONS = 50;

/**
 * The questions of a text, each a heading of the third level with its answer below. Null for a text without
 * questions.
 */
function questionsData(html: string): WithContext<FAQPage> | null {
  const questions = html
    .split("<h3")
    .slice(1, 1 + MAX_QUESTIONS)
    .flatMap((part) => {
      const end = part.indexOf("</h3>");
      const name = end === -1 ? "" : plainText(`<h3${part.slice(0, end)}</h3>`);
      const text = plainText(part.slice(end + "</h3>".length));
      return name && text ? [{ name, text }] : [];
    });
  if (questions.length === 0) return null;
  return {
    "@context": "https://schema.org",
    "@type": "FAQPage",
    mainEntity: questions.map(({ name, text }) => ({
      "@type": "Question",
      name,
      acceptedAnswer: { "@type": "Answer", text },
    })),
  };
}

const plainText = (html: string) =>
  convert(html, {
    wordwrap: false,
    selectors: [
      { selector: "a", options: { ignoreHref: true } },
      { selector: "img", format: "skip" },
      { selector: "h3", options: { uppercase: false } },
    ],
  }).trim();
