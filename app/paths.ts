/** Static pages linked in the footer, in its order. */
export const FOOTER_PAGES = [
  "terms-of-service",
  "legal-notice",
  "privacy",
  "accessibility",
] as const;

/** Static pages. The path of each is its uid in the API. */
export const TEXT_PAGES = ["about", ...FOOTER_PAGES] as const;
export type TextPage = (typeof TEXT_PAGES)[number];

type Query = Record<string, string | readonly string[] | undefined>;

/** For the script of each page, in which `paths.login` would bring the making of queries. */
export const LOGIN = "/login";

/** The pages of the site, but for `serverPaths`. Links, redirects and tests use these functions. */
export const paths = {
  home: () => "/",
  articles: (query?: Query) => withQuery("/articles", query),
  article: (uid: string) => `/article/${encodeURIComponent(uid)}`,
  text: (page: TextPage) => `/${page}`,
  termsVersion: (digest: string) => `/terms-of-service/${digest}`,
  cookies: (to?: string) => withQuery("/cookies", { to }),
  translation: (to?: string) => withQuery("/translation", { to }),
  login: (returnTo?: string) => withQuery(LOGIN, { returnTo }),
  logout: () => "/logout",
  registration: (query?: Query) => withQuery("/registration", query),
  registrationPayment: (query?: Query) => withQuery("/registration/payment", query),
  resetPassword: (query?: Query) => withQuery("/reset-password", query),
  account: (query?: Query) => withQuery("/account", query),
  accountData: () => "/account/data",
  accountExport: () => "/account/export",
  accountContract: (reference?: string) => withQuery("/account/contract", { reference }),
  accountPayments: (query?: Query) => withQuery("/account/payments", query),
  accountPayment: (uid: string) => `/account/payments/${encodeURIComponent(uid)}`,
  accountSubscription: () => "/account/subscription",
  accountSubscriptionUndo: () => "/account/subscription/undo",
  contact: (t?: string) => withQuery("/contact", { t }),
  contactNewTicket: (query?: Query) => withQuery("/contact/new-ticket", query),
  contactLink: (query?: Query) => withQuery("/contact/link", query),
  contactTickets: (query?: Query) => withQuery("/contact/tickets", query),
  contactTicket: (uid: string, query?: Query) =>
    withQuery(`/contact/tickets/${encodeURIComponent(uid)}`, query),
  contactTicketEvents: (uid: string, query?: Query) =>
    withQuery(`/contact/tickets/${encodeURIComponent(uid)}/events`, query),
  coaching: (query?: Query) => withQuery("/coaching", query),
  coachingNewDiscussion: (query?: Query) => withQuery("/coaching/new-discussion", query),
  coachingDiscussion: (uid: string, query?: Query) =>
    withQuery(`/coaching/${encodeURIComponent(uid)}`, query),
  coachingDiscussionEvents: (uid: string) => `/coaching/${encodeURIComponent(uid)}/events`,
  desk: (query?: Query) => withQuery("/desk", query),
  deskTicket: (uid: string, query?: Query) => withQuery(`/desk/${encodeURIComponent(uid)}`, query),
  cancelContract: (query?: Query) => withQuery("/cancel-contract", query),
  withdrawal: (query?: Query) => withQuery("/withdrawal", query),
  latestBuild: () => "/builds/latest.json",
};

/** Pages to which no script leads. Apart from the others, because browsers need none of these functions. */
export const serverPaths = {
  siteMap: () => "/site-map",
  registrationRelease: (token?: string) => withQuery("/registration/release", { token }),
  resetPasswordUpdate: (token?: string) => withQuery("/reset-password/update", { token }),
  undoCancellation: (token: string) => withQuery("/cancel-contract/undo", { token }),
  confirmWithdrawal: (token: string) => withQuery("/withdrawal/confirm", { token }),
  registrationResult: (result: "success" | "failure", cashback = false) =>
    cashback ? `/registration/welcome/${result}` : `/registration/${result}`,
  paymentCallback: (result?: { cashback: boolean; success: boolean }) =>
    withQuery("/callback/payment", {
      cashback: result && (result.cashback ? "1" : "0"),
      success: result && (result.success ? "1" : "0"),
    }),
  welcome: (query?: Query) => withQuery("/registration/welcome", query),
  draft: (uid: string, token: string) => withQuery(`/drafts/${encodeURIComponent(uid)}`, { token }),
  page404: () => "/page404",
  page5xx: () => "/page5xx",
  /** @param query `after`: the favorite before this page. `at`: the one beside a favorite that was removed. */
  accountFavorites: (query?: Query) => withQuery("/account/favorites", query),
  accountEmail: (query?: Query) => withQuery("/account/email", query),
  accountEmailConfirm: (token?: string) => withQuery("/account/email/confirm", { token }),
};

/** Paths of what is no page. Apart from the pages, because browsers need none of these functions. */
export const filePaths = {
  sitemap: () => "/sitemap.xml",
  /** @param number counts from one */
  sitemapPart: (number: number) => `/sitemap/${number}.xml`,
  robots: () => "/robots.txt",
  /** The Atom feed of all articles, or of a category. */
  feed: (category?: string) => (category === undefined ? "/feed.xml" : `/feed/${category}.xml`),
  articlePicture: (uid: string, version?: string) =>
    withQuery(`/article/${encodeURIComponent(uid)}/picture.png`, { v: version }),
  /** A file of `public`. */
  sitePicture: () => "/og.png",
  siteLogo: () => "/icon-512.png",
};

function withQuery(path: string, query: Query = {}) {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const item of typeof value === "string" ? [value] : (value ?? []))
      search.append(name, item);
  }
  return search.size ? `${path}?${search}` : path;
}
