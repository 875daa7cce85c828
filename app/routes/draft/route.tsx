import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { articleCardOf } from "~/api/cards.server";
import { findReference, NO_REFERENCE } from "~/api/reference.server";
import { requireUid } from "~/api/require-uid.server";
import { draftToken } from "~/contract/content";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { ArticleColumns, ArticleHeader } from "~/ui/article-header";
import { formatDateTime } from "~/i18n/format";
import { Notice } from "~/ui/notice";
import { Prose } from "~/ui/prose";

export const meta = pageMeta;

/** Its address is a secret that opens what is not published. */
export const handle = declarePage({ breadcrumb: false, indexed: false, personal: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const params = { uid: await requireUid(visit, args.params) };
  const token = draftToken.safeParse(visit.url.searchParams.get("token"));
  if (!token.success) return visit.throwNotFound();
  const query = { token: token.data };
  const [{ payload }, referenceRead] = await Promise.all([
    visit.require("getDraft", { params, query }),
    findReference(visit),
  ]);
  const reference = referenceRead.kind === "found" ? referenceRead.value : NO_REFERENCE;
  const { title, summary, publishDateTime, body, author } = payload;
  return {
    page: visit.describePage({ title, description: summary }),
    article: articleCardOf(payload, { reference, isSubscriber: false }),
    authorUid: author,
    body,
    publishedAt: publishDateTime && formatDateTime(publishDateTime),
  };
}

export default function DraftPage() {
  const { article, authorUid, body, publishedAt } = useLoaderData<typeof loader>();
  const t = useT("article");
  return (
    <article className="container page stack">
      <Notice tone="warning">
        {publishedAt ? t("draft.planned", { date: publishedAt }) : t("draft.unplanned")}
      </Notice>
      <ArticleHeader article={article} authorUid={authorUid} />
      <ArticleColumns>
        <Prose html={body} look="article" />
      </ArticleColumns>
    </article>
  );
}
