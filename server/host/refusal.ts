import type { ContentfulStatusCode } from "hono/utils/http-status";
import { busyViolation, type ApiErrorBody } from "../../app/contract/errors";
import siteTexts from "../../app/locales/fr/error.json";
import type { PublicFile } from "./public-files";
import ownTexts from "./refusals.fr.json";
import { wantsJson, type HostContext } from "./http/request";

/** The start recognises this site's own refusal by this text: another server may answer 508, too. */
export const LOOP_MESSAGE = "API_URL of this site leads back to it";

const REFUSALS = {
  crossSite: { status: 403, message: "Cross-site request refused" },
  malformed: { status: 400, message: "The request is malformed" },
  method: { status: 405, message: "This method is not known here" },
  longPath: { status: 414, message: "The path is longer than 2048 characters" },
  longHead: {
    status: 431,
    message: "The address and headers are larger than 16 KiB, or more than 100",
  },
  tooSlow: { status: 408, message: "The request came too slowly" },
  tooLarge: { status: 413, message: "The body is larger than 1 MiB" },
  crumbled: { status: 413, message: "The body came in too many small pieces" },
  busy: { status: 429, message: "Too many requests at once" },
  givenUp: { status: 408, message: "The request ended before it was answered" },
  away: { status: 503, message: "The database does not answer" },
  starting: { status: 503, message: "The site is starting" },
  loop: { status: 508, message: LOOP_MESSAGE },
  late: { status: 503, message: "The site is very busy" },
  broken: { status: 500, message: "Internal server error" },
} as const satisfies Record<string, { status: ContentfulStatusCode; message: string }>;

export type RefusalReason = keyof typeof REFUSALS;

/** The same words as the site's own error pages, so that visitors see no difference. */
const TEXTS: Record<RefusalReason, { title: string; text: string }> = {
  crossSite: siteTexts.status[403],
  malformed: siteTexts.status[400],
  method: siteTexts.status[405],
  longPath: siteTexts.status[414],
  longHead: siteTexts.status[400],
  tooSlow: ownTexts.givenUp,
  tooLarge: siteTexts.status[413],
  crumbled: siteTexts.status[413],
  busy: siteTexts.busy,
  givenUp: ownTexts.givenUp,
  away: siteTexts.page5xx,
  starting: ownTexts.starting,
  loop: siteTexts.page5xx,
  late: siteTexts.busy,
  broken: siteTexts.page5xx,
};

/** Title and style sheet of the site, for the error pages of the host. */
let look = { siteTitle: "", styleSheet: "" };

/** Sets the look once at start: some refusals happen where the build is not known. */
export function setErrorPageLook(siteTitle: string, files: ReadonlyMap<string, PublicFile>) {
  const isStyle = (path: string) => /^\/assets\/index-[\w-]+\.css$/.test(path);
  look = { siteTitle, styleSheet: [...files.keys()].find(isStyle) ?? "" };
}

/** Answers instead of the site: with the JSON error of `/api`, or with a short page. */
export function refuse(context: HostContext, reason: RefusalReason): Response {
  const { status } = REFUSALS[reason];
  context.header("cache-control", "no-store");
  if (wantsJson(context)) return context.json(errorOf(reason), status);
  return context.html(page(TEXTS[reason]), status);
}

/** The same refusal for the Node listener, which has no Hono context yet. */
export function refusalOf(reason: RefusalReason, asJson: boolean) {
  const { status } = REFUSALS[reason];
  return asJson
    ? { status, type: "application/json", body: JSON.stringify(errorOf(reason)) }
    : { status, type: "text/html; charset=utf-8", body: page(TEXTS[reason]) };
}

/** The JSON error of `/api`. */
function errorOf(reason: RefusalReason): ApiErrorBody {
  const { message } = REFUSALS[reason];
  return reason === "busy" ? { message, violations: [busyViolation(message)] } : { message };
}

/** The markup of `app/ui/error-page.tsx`. */
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
