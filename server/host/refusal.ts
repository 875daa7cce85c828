import type { ContentfulStatusCode } from "hono/utils/http-status";
import texts from "./refusals.fr.json";
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

/** Answers before, or instead of, the site: the error form of `/api`, or a short page. */
export function refuse(context: HostContext, reason: Refused): Response {
  const { status, message } = REFUSALS[reason];
  context.header("cache-control", "no-store");
  if (wantsJson(context)) return context.json({ message }, status);
  return context.html(page(texts[reason]), status);
}

/** The same where there is no request to answer yet. */
export function refusalOf(reason: Refused, asJson: boolean) {
  const { status, message } = REFUSALS[reason];
  return asJson
    ? { status, type: "application/json", body: JSON.stringify({ message }) }
    : { status, type: "text/html; charset=utf-8", body: page(texts[reason]) };
}

function page({ title, text }: { title: string; text: string }) {
  return `<!doctype html>
<html lang="fr">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>
</head>
<body><main><h1>${title}</h1><p>${text}</p><p><a href="/">${texts.back}</a></p></main></body>
</html>
`;
}
