import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { addressUid } from "~/api/address-uid.server";
import { cardOf, cardsOf } from "~/api/cards.server";
import { defaultOffer } from "~/api/offer.server";
import { reference } from "~/api/reference.server";
import { isForeign, readForm } from "~/forms/read.server";
import { refuseButton } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { offerWords } from "~/i18n/offer.server";
import { useT } from "~/i18n/use-t";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { ArticleGrid } from "~/ui/article-grid";
import { ArticleColumns, ArticleHeader } from "~/ui/article-header";
import { Prose } from "~/ui/prose";
import { SectionHeading } from "~/ui/section-heading";
import { ShareRow } from "~/ui/share-row";
import { Favorite } from "./favorite";
import { keptBy, submitFavorite } from "./favorite.server";
import { Invitation } from "./invitation";

export const meta = pageMeta;

export const handle = page({ breadcrumb: false });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const params = { uid: addressUid(args) };
  const [{ payload }, related, held, kept] = await Promise.all([
    visit.read("getArticle", { params }),
    visit.read("listRelatedArticles", { params }),
    reference(visit),
    keptBy(visit, params.uid),
  ]);
  const offer = payload.partial ? await defaultOffer(visit) : null;
  return {
    page: visit.page({ title: payload.title, description: payload.summary }),
    article: cardOf(payload, held),
    authorUid: payload.author,
    body: payload.body,
    partial: payload.partial,
    signedIn: visit.session.claims() !== null,
    offer: offer && offerWords(offer),
    kept,
    related: cardsOf(related.payload, held),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request);
  if (isForeign(form)) return refuseButton(visit);
  return submitFavorite(visit, addressUid(args), form.get("intent"));
}

export default function ArticlePage() {
  const { page, article, authorUid, body, partial, signedIn, offer, kept, related } =
    useLoaderData<typeof loader>();
  const t = useT("article");
  return (
    <>
      <article className="container page">
        <ArticleHeader article={article} authorUid={authorUid} />
        <ArticleColumns
          aside={
            <>
              {kept !== null && <Favorite kept={kept} />}
              <ShareRow url={page.canonical} title={article.title} />
            </>
          }
        >
          <Prose html={body} look="article" cut={partial} />
          {partial && <Invitation uid={article.uid} signedIn={signedIn} offer={offer} />}
        </ArticleColumns>
      </article>
      {related.length > 0 && (
        <aside className="section section--deep" aria-labelledby="related">
          <div className="container">
            <SectionHeading id="related" title={t("related")} />
            <ArticleGrid articles={related} level={3} />
          </div>
        </aside>
      )}
    </>
  );
}
