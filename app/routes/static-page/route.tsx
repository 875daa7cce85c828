import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import type { TextPage } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { siteShare } from "~/sharing/share.server";
import { formatDate } from "~/i18n/format";
import { PageHeading } from "~/ui/page-heading";
import { Prose } from "~/ui/prose";

export const meta = pageMeta;

export const handle = declarePage({ i18n: ["terms"], shared: [], thirdParties: true });

const TERMS: TextPage = "terms-of-service";

/** A static page: its path is its uid in the API. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = visit.url.pathname.replace(/^\/|\.data$/g, "");
  const { payload } = await visit.require("getPage", { params: { uid } });
  return {
    page: visit.describePage({
      title: payload.title,
      description: payload.summary,
      share: siteShare(),
    }),
    title: payload.title,
    summary: payload.summary,
    body: payload.body,
    // The terms count from their publication, so that its date stands with them.
    since: uid === TERMS ? formatDate(payload.date) : null,
  };
}

export default function StaticPage() {
  const { title, summary, body, since } = useLoaderData<typeof loader>();
  const t = useT("terms");
  return (
    <div className="container page">
      <PageHeading title={title} lead={summary} />
      {since && <p>{t("since", { date: since })}</p>}
      <Prose html={body} />
    </div>
  );
}
