type Query = Record<string, string | readonly string[] | undefined>;

/** Every address of the site (style.md): links, redirects and tests use these. */
export const paths = {
  home: () => "/",
  articles: (query?: Query) => withQuery("/articles", query),
  article: (uid: string) => `/article/${encodeURIComponent(uid)}`,
  about: () => "/about",
  termsOfService: () => "/terms-of-service",
  legalNotice: () => "/legal-notice",
  privacy: () => "/privacy",
  accessibility: () => "/accessibility",
  login: (returnTo?: string) => withQuery("/login", { returnTo }),
  logout: () => "/logout",
  registration: (query?: Query) => withQuery("/registration", query),
  registrationResult: (result: "success" | "failure") => `/registration/${result}`,
  paymentCallback: () => "/callback/payment",
  account: () => "/account",
  page404: () => "/page404",
  page5xx: () => "/page5xx",
  latestBuild: () => "/builds/latest.json",
};

function withQuery(path: string, query: Query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of typeof value === "string" ? [value] : (value ?? []))
      search.append(name, item);
  }
  return search.size ? `${path}?${search}` : path;
}
