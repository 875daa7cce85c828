import type { LoaderFunctionArgs } from "@remix-run/node";
import { siteOrigin } from "~/session/page-request.server";
import { missing, publicText, unreadable } from "~/sharing/answers.server";
import { findPublicAddresses } from "~/sharing/public-addresses.server";
import { sitemap, sitemapPart } from "~/sharing/sitemap.server";

const TEN_MINUTES = 600;

/** The sitemap, and its parts on a site with many articles: `/sitemap/{number}.xml`. */
export async function loader({ request, params: { file } }: LoaderFunctionArgs) {
  const number = file === undefined ? null : partIn(file);
  if (number === undefined) return missing();
  const url = new URL(request.url);
  const addresses = await findPublicAddresses(url);
  if (addresses.kind === "failed") return unreadable();
  const origin = siteOrigin(url);
  const text =
    number === null
      ? await sitemap(addresses.value, origin)
      : await sitemapPart(addresses.value, number, origin);
  if (text === null) return missing();
  return publicText({ type: "application/xml", text, maxAgeSeconds: TEN_MINUTES });
}

function partIn(file: string): number | undefined {
  const [, number] = /^([1-9]\d{0,4})\.xml$/.exec(file) ?? [];
  return number === undefined ? undefined : Number(number);
}
