import { index, route as anyRoute, type RouteConfig } from "@remix-run/route-config";
import { TEXT_PAGES } from "./paths";

/** One spelling is one page: pages compare their address, as caches and search engines do. */
const route = (path: string, file: string, { id }: { id?: string } = {}) =>
  anyRoute(path, file, { caseSensitive: true, ...(id !== undefined && { id }) });

const textPage = "routes/static-page/route.tsx";

/** Every page and its path. */
export default [
  index("routes/home/route.tsx"),
  route("articles", "routes/articles/route.tsx"),
  route("article", "routes/article-redirect/route.tsx"),
  route("article/:uid", "routes/article/route.tsx"),
  route("article/:uid/picture.png", "routes/article-picture/route.ts"),
  route("drafts/:uid", "routes/draft/route.tsx"),
  ...TEXT_PAGES.map((uid) => route(uid, textPage, { id: uid })),
  route("terms-of-service/:digest", "routes/terms-version/route.tsx"),
  route("registration", "routes/registration/route.tsx"),
  route("registration/payment", "routes/registration-payment/route.tsx"),
  route("registration/welcome", "routes/registration/route.tsx", { id: "welcome" }),
  route("registration/release", "routes/registration-release/route.tsx"),
  route("registration/:result", "routes/registration-result/route.tsx"),
  route("registration/welcome/:result", "routes/registration-result/route.tsx", {
    id: "welcome-result",
  }),
  route("callback/payment", "routes/payment-callback/route.tsx"),
  route("cookies", "routes/cookies/route.tsx"),
  route("translation", "routes/translation/route.tsx"),
  route("login", "routes/login/route.tsx"),
  route("logout", "routes/logout/route.tsx"),
  route("reset-password", "routes/reset-password/route.tsx"),
  route("reset-password/update", "routes/reset-password-update/route.tsx"),
  route("account", "routes/account/route.tsx"),
  route("account/data", "routes/account-data/route.tsx"),
  route("account/export", "routes/account-export/route.ts"),
  route("account/subscription", "routes/account-subscription/route.tsx"),
  route("account/contract", "routes/account-contract/route.tsx"),
  route("account/payments", "routes/account-payments/route.tsx"),
  route("account/payments/:uid", "routes/account-payment/route.tsx"),
  route("account/subscription/undo", "routes/account-subscription-undo/route.tsx"),
  route("contact", "routes/contact/route.tsx"),
  route("contact/new-ticket", "routes/contact-new-ticket/route.tsx"),
  route("contact/link", "routes/contact-link/route.tsx"),
  route("contact/tickets", "routes/contact-tickets/route.tsx"),
  route("contact/tickets/:uid", "routes/contact-ticket/route.tsx"),
  route("contact/tickets/:uid/events", "routes/contact-ticket-events/route.ts"),
  route("coaching", "routes/coaching/route.tsx"),
  route("coaching/new-discussion", "routes/coaching-new-discussion/route.tsx"),
  route("coaching/:uid", "routes/coaching-discussion/route.tsx"),
  route("coaching/:uid/events", "routes/coaching-discussion-events/route.ts"),
  route("desk", "routes/desk/route.tsx"),
  route("desk/:uid", "routes/desk-ticket/route.tsx"),
  route("cancel-contract", "routes/contract-notice/route.tsx", { id: "cancel-contract" }),
  route("cancel-contract/undo", "routes/notice-link/route.tsx", { id: "undo-cancellation" }),
  route("withdrawal", "routes/contract-notice/route.tsx", { id: "withdrawal" }),
  route("withdrawal/confirm", "routes/notice-link/route.tsx", { id: "confirm-withdrawal" }),
  route("page404", "routes/page404/route.tsx"),
  route("page5xx", "routes/page5xx/route.tsx"),
  route("robots.txt", "routes/robots/route.ts"),
  route("sitemap.xml", "routes/sitemap/route.ts"),
  route("sitemap/:file", "routes/sitemap/route.ts", { id: "sitemap-part" }),
  route("feed.xml", "routes/feed/route.ts"),
  route("feed/:file", "routes/feed/route.ts", { id: "category-feed" }),
  route("builds/latest.json", "routes/latest-build/route.ts"),
  route("api/*", "routes/api/route.ts"),
  route("*", "routes/not-found/route.tsx"),
] satisfies RouteConfig;
