import type { LoaderFunctionArgs } from "@remix-run/node";
import { readImage } from "~/api/image.server";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { missing } from "~/sharing/answers.server";

const page = declarePage({ indexed: false });

/**
 * An image of the content, for `remix vite:dev` and `remix-serve`: the host serves images itself, before any route.
 */
export async function loader(args: LoaderFunctionArgs) {
  const image = await readImage(args.params.file ?? "");
  if (!image) {
    await (await openVisit(args, page)).throwIfMoved();
    return missing();
  }
  return new Response(image.body, {
    headers: {
      "content-type": image.contentType,
      "cache-control": "no-cache",
      // A drawing that is opened by itself is a document.
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
    },
  });
}
