import type { ContentfulStatusCode } from "hono/utils/http-status";
import siteTexts from "../../app/locales/fr/error.json";
import type { PublicFile } from "./public-files";
import ownTexts from "./refusals.fr.json";
import { wantsJson, type HostContext } from "./request";

const REFUSALS = {
  crossSite: { status: 403, message: "Cross-site request refused" },
  malformed: { status: 400, message: "The request is malformed" },
  method: { status: 405, message: "This method is not known here" },
  longPath: { status: 414, message: "The path is longer than 2048 characters" },
  tooLarge: { status: 413, message: "The body is larger than 1 MiB" },
  busy: { status: 429, message: "Too many requests at once" },
  givenUp: { status: 408, message: "The request ended before it was answered" },
  broken: { status: 500, message: "Internal server error" },
} as const satisfies Record<string, { status: ContentfulStatusCode; message: string }>;

export type Refused = keyof typeof REFUSALS;

/** The same words as the site's own error pages: who reads them need not know who answered. */
const TEXTS: Record<Refused, { title: string; text: string }> = {
  crossSite: siteTexts.status[403],
  malformed: siteTexts.status[400],
  method: siteTexts.status[405],
  longPath: siteTexts.status[414],
  tooLarge: siteTexts.status[413],
  busy: siteTexts.status[429],
  givenUp: ownTexts.givenUp,
  broken: siteTexts.page5xx,
};

/** How the site's pages look and what they are called, for those that stand in their place. */
let look = { siteTitle: "", styleSheet: "" };

/** Taken over once, when the host is put together: refusals come from places that know of no build. */
export function lookLike(siteTitle: string, files: ReadonlyMap<string, PublicFile>) {
  const isStyle = (path: string) => /^\/assets\/index-[\w-]+\.css$/.test(path);
  look = { siteTitle, styleSheet: [...files.keys()].find(isStyle) ?? "" };
}

/** Answers before, or instead of, the site: the error form of `/api`, or a short page. */
export function refuse(context: HostContext, reason: Refused): Response {
  const { status, message } = REFUSALS[reason];
  context.header("cache-control", "no-store");
  if (wantsJson(context)) return context.json({ message }, status);
  return context.html(page(TEXTS[reason]), status);
}

/** The same where there is no request to answer yet. */
export function refusalOf(reason: Refused, asJson: boolean) {
  const { status, message } = REFUSALS[reason];
  return asJson
    ? { status, type: "application/json", body: JSON.stringify({ message }) }
    : { status, type: "text/html; charset=utf-8", body: page(TEXTS[reason]) };
}

/** As `app/ui/error-page.tsx`. */
function page({ title, text }: { title: string; text: string }) {
  const site = escapeHtml(look.siteTitle);
  const style = look.styleSheet && `<link rel="stylesheet" href="${look.styleSheet}">`;
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${site} - ${title}</title>${style}
</head>
<body><main class="error-page" id="contenu">
<a class="error-page__logo" href="/">${site}</a>
<h1>${title}</h1><p class="error-page__text">${text.replace("{{wait}}", ownTexts.wait)}</p>
<a class="button button--primary" href="/">${siteTexts.back_button}</a>
</main></body>
</html>
`;
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
