import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { Prose } from "~/ui/prose";

export const meta = pageMeta;

export const handle = declarePage();

/** A static page: its path is its uid in the API. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = visit.url.pathname.replace(/^\/|\.data$/g, "");
  const { payload } = await visit.require("getPage", { params: { uid } });
  return {
    page: visit.describePage({ title: payload.title, description: payload.summary }),
    title: payload.title,
    summary: payload.summary,
    body: payload.body,
  };
}

export default function StaticPage() {
  const { title, summary, body } = useLoaderData<typeof loader>();
  return (
    <div className="container page">
      <PageHeading title={title} lead={summary} />
      <Prose html={body} />
    </div>
  );
}
