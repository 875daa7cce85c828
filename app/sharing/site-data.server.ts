import type {
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

/**
 * What search engines read on the home page: who runs the site, and how to search it. Its questions are not
 * repeated as data: they would cost more bytes than the page has left, and results show them no more.
 */
export const homeData = (origin: string) => [organizationData(origin), webSiteData(origin)];

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
