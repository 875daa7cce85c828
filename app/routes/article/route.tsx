import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireUid } from "~/api/require-uid.server";
import { articleCardOf, articleCardsOf } from "~/api/cards.server";
import { mapResult, type ReadResult } from "~/api/read-result";
import { findAdvertisedOffer } from "~/api/offer.server";
import { findReference } from "~/api/reference.server";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { orderWords } from "~/i18n/order-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { articleData } from "~/sharing/article-data.server";
import { breadcrumbList } from "~/sharing/breadcrumb-list";
import { articleShare } from "~/sharing/share.server";
import type { ArticleCardData } from "~/ui/article-card";
import { ArticleGrid } from "~/ui/article-grid";
import { ArticleColumns, ArticleHeader } from "~/ui/article-header";
import { JsonLd } from "~/ui/json-ld";
import { Prose } from "~/ui/prose";
import { SectionHeading } from "~/ui/section-heading";
import { ShareRow } from "~/ui/share-row";
import { Unread } from "~/ui/unread";
import { Favorite } from "./favorite";
import { findOwnFavorite, submitFavorite } from "./favorite.server";
import { Invitation } from "./invitation";

const NO_REFERENCE = { authors: new Map(), categories: new Map(), tags: new Map() };

export const meta = pageMeta;

export const handle = declarePage({ breadcrumb: false, shared: [], perRole: ["favorite"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const params = { uid: await requireUid(visit, args.params) };
  const [{ payload }, related, referenceRead, kept] = await Promise.all([
    visit.require("getArticle", { params }),
    visit.find("listRelatedArticles", { params }),
    findReference(visit),
    findOwnFavorite(visit, params.uid),
  ]);
  // Without the reference data the article is shown without the names of author and category.
  const reference = referenceRead.kind === "found" ? referenceRead.value : NO_REFERENCE;
  const offer = payload.partial ? await findAdvertisedOffer(visit) : null;
  const { title, summary } = payload;
  const page = visit.describePage({ title, description: summary, share: articleShare(payload) });
  const article = articleCardOf(payload, reference);
  return {
    page,
    jsonLd: JSON.stringify([
      articleData({ article: payload, author: article.author, page, origin: visit.origin }),
      breadcrumbList(trailOf(visit, title), visit.origin),
    ]),
    article,
    authorUid: payload.author,
    body: payload.body,
    partial: payload.partial,
    signedIn: visit.session.claims() !== null,
    offer: offer && orderWords(offer),
    kept,
    related: mapResult(related, (list) => articleCardsOf(list.payload, reference)),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request);
  if (isForeign(form)) return refuseForeign(visit);
  return submitFavorite(visit, await requireUid(visit, args.params), form.get("intent"));
}

export default function ArticlePage() {
  const { page, jsonLd, article, authorUid, body, partial, signedIn, offer, kept, related } =
    useLoaderData<typeof loader>();
  const t = useT("article");
  return (
    <>
      <JsonLd json={jsonLd} />
      <article className="container page">
        <ArticleHeader article={article} authorUid={authorUid} />
        <ArticleColumns
          aside={
            <>
              {kept.kind === "found" && <Favorite kept={kept.value} />}
              {kept.kind === "failed" && <p className="soft small">{t("favorite.unread")}</p>}
              <ShareRow url={page.canonical} title={article.title} />
            </>
          }
        >
          <Prose html={body} look="article" cut={partial} />
          {partial && <Invitation uid={article.uid} signedIn={signedIn} offer={offer} />}
        </ArticleColumns>
      </article>
      <Related articles={related} />
    </>
  );
}

/** The way to an article, for search engines: the page itself shows no breadcrumb. */
const trailOf = ({ t }: Visit, title: string) => [
  { label: t("site", "breadcrumb.home"), href: paths.home() },
  { label: t("articles", "title"), href: paths.articles() },
  { label: title },
];

function Related({ articles }: { articles: ReadResult<ArticleCardData[]> }) {
  const t = useT("article");
  const isEmpty = articles.kind === "found" && articles.value.length === 0;
  if (articles.kind === "none" || isEmpty) return null;
  return (
    <aside className="section section--deep" aria-labelledby="related">
      <div className="container">
        <SectionHeading id="related" title={t("related")} />
        {articles.kind === "found" ? (
          <ArticleGrid articles={articles.value} level={3} />
        ) : (
          <Unread text={t("unread")} />
        )}
      </div>
    </aside>
  );
}
