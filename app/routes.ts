import { index, route, type RouteConfig } from "@remix-run/route-config";

const staticPage = "routes/static-page/route.tsx";

/** The route table of the specification, section 2. */
export default [
  index("routes/home/route.tsx"),
  route("articles", "routes/articles/route.tsx"),
  route("article", "routes/article-redirect/route.tsx"),
  route("article/:uid", "routes/article/route.tsx"),
  route("about", staticPage, { id: "about" }),
  route("terms-of-service", staticPage, { id: "terms-of-service" }),
  route("legal-notice", staticPage, { id: "legal-notice" }),
  route("privacy", staticPage, { id: "privacy" }),
  route("accessibility", staticPage, { id: "accessibility" }),
  route("registration", "routes/registration/route.tsx"),
  route("registration/payment", "routes/registration-payment/route.tsx"),
  route("registration/welcome", "routes/registration/route.tsx", { id: "welcome" }),
  route("registration/:result", "routes/registration-result/route.tsx"),
  route("registration/welcome/:result", "routes/registration-result/route.tsx", {
    id: "welcome-result",
  }),
  route("callback/payment", "routes/payment-callback/route.tsx"),
  route("login", "routes/login/route.tsx"),
  route("logout", "routes/logout/route.tsx"),
  route("reset-password", "routes/reset-password/route.tsx"),
  route("reset-password/update", "routes/reset-password-update/route.tsx"),
  route("account", "routes/account/route.tsx"),
  route("account/data", "routes/account-data/route.tsx"),
  route("account/export", "routes/account-export/route.ts"),
  route("account/subscription", "routes/account-subscription/route.tsx"),
  route("cancel-contract", "routes/contract-notice/route.tsx", { id: "cancel-contract" }),
  route("cancel-contract/undo", "routes/notice-link/route.tsx", { id: "undo-cancellation" }),
  route("withdrawal", "routes/contract-notice/route.tsx", { id: "withdrawal" }),
  route("withdrawal/confirm", "routes/notice-link/route.tsx", { id: "confirm-withdrawal" }),
  route("page404", "routes/page404/route.tsx"),
  route("page5xx", "routes/page5xx/route.tsx"),
  route("builds/latest.json", "routes/latest-build/route.ts"),
  route("api/*", "routes/api/route.ts"),
  route("*", "routes/not-found/route.tsx"),
] satisfies RouteConfig;
