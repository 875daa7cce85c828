import type { LoaderFunctionArgs } from "@remix-run/node";
import { uid } from "~/contract/primitives";
import { siteOrigin } from "~/session/page-request.server";
import { missing, publicText, unreadable } from "~/sharing/answers.server";
import { findFeed } from "~/sharing/feed.server";

const FIVE_MINUTES = 300;

/** The feed of all articles, or of one category: `/feed/{category}.xml`. */
export async function loader({ request, params: { file } }: LoaderFunctionArgs) {
  const category = file === undefined ? null : categoryIn(file);
  if (category === undefined) return missing();
  const url = new URL(request.url);
  const origin = siteOrigin(url);
  const feed = await findFeed(url, { origin, category: category ?? undefined });
  if (feed.kind === "none") return missing();
  if (feed.kind === "failed") return unreadable();
  const type = "application/atom+xml";
  return publicText({ type, text: feed.value, maxAgeSeconds: FIVE_MINUTES });
}

function categoryIn(file: string): string | undefined {
  const parsed = uid.safeParse(file.endsWith(".xml") ? file.slice(0, -".xml".length) : "");
  return parsed.success ? parsed.data : undefined;
}
