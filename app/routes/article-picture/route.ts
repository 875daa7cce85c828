import type { LoaderFunctionArgs } from "@remix-run/node";
import { openPublicApi } from "~/api/public-api.server";
import { uid as uidSchema } from "~/contract/primitives";
import { missing, unreadable } from "~/sharing/answers.server";
import { articlePicture, pictureVersion } from "~/sharing/article-picture.server";

const FOR_EVER = "public, max-age=31536000, immutable";
const FIVE_MINUTES = "public, max-age=300";

/** The picture that other sites show of an article. */
export async function loader({ request, params }: LoaderFunctionArgs) {
  const uid = uidSchema.safeParse(params.uid);
  if (!uid.success) return missing();
  const url = new URL(request.url);
  const article = await openPublicApi(url)("getArticle", { params: { uid: uid.data } });
  if (!article.ok) return article.error.kind === "notFound" ? missing() : unreadable();
  const { payload } = article.value;
  const isCurrent = url.searchParams.get("v") === pictureVersion(payload);
  return new Response(await articlePicture(payload), {
    headers: {
      "content-type": "image/png",
      "cache-control": isCurrent ? FOR_EVER : FIVE_MINUTES,
      // Link previews and feed readers show it on their own pages.
      "cross-origin-resource-policy": "cross-origin",
    },
  });
}
