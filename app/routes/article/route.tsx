import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireUid } from "~/api/require-uid.server";
import { articleCardOf, articleCardsOf, listLink } from "~/api/cards.server";
import { mapResult, type ReadResult } from "~/api/read-result";
import { findAdvertisedOffer } from "~/api/offer.server";
import { findReference, NO_REFERENCE } from "~/api/reference.server";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { orderWords } from "~/i18n/order-words.server";
import { useT } from "~/i18n/use-t";
import { OwnMessages, useOwnMessages } from "~/layout/flash";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { articlePageData } from "~/sharing/article-data.server";
import { articleShare } from "~/sharing/share.server";
import type { ArticleCardData, ListLink } from "~/ui/article-card";
import { ArticleGrid } from "~/ui/article-grid";
import { ArticleColumns, ArticleHeader } from "~/ui/article-header";
import { Prose } from "~/ui/prose";
import { SectionHeading } from "~/ui/section-heading";
import { ShareRow } from "~/ui/share-row";
import { Unread } from "~/ui/unread";
import { Favorite, FAVORITE_MESSAGES, FAVORITE_NOTICE } from "./favorite";
import { findOwnFavorite, submitFavorite } from "./favorite.server";
import { Invitation } from "./invitation";
import { findMember } from "./member.server";

export const meta = pageMeta;

export const handle = declarePage({
  breadcrumb: false,
  shared: [],
  perRole: ["favorite"],
  thirdParties: true,
  ownMessages: FAVORITE_MESSAGES,
});

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
  const tags = payload.tags.flatMap((uid) => reference.tags.get(uid) ?? []);
  const offer = payload.partial ? await findAdvertisedOffer(visit) : null;
  const member = payload.partial ? await findMember(visit) : null;
  const { title, summary } = payload;
  const cards = { reference, isSubscriber: visit.session.hasRole("vip") };
  const article = articleCardOf(payload, cards);
  const share = articleShare(payload);
  const shown = { article: payload, author: article.author?.name, share, origin: visit.origin };
  return {
    page: visit.describePage({
      title,
      description: summary,
      share,
      data: articlePageData(shown),
    }),
    article,
    authorUid: payload.author,
    biography: reference.authors.get(payload.author)?.biography,
    tags: tags.map((tag) => listLink("tags", tag)),
    body: payload.body,
    partial: payload.partial,
    member,
    offer: offer && orderWords(offer),
    kept,
    related: mapResult(related, (list) => articleCardsOf(list.payload, cards)),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request);
  if (isForeign(form)) return refuseForeign(visit);
  return submitFavorite(visit, await requireUid(visit, args.params), form.get("intent"));
}

export default function ArticlePage() {
  const { page, article, authorUid, biography, tags, body, partial, member, offer, kept, related } =
    useLoaderData<typeof loader>();
  const messages = useOwnMessages(FAVORITE_MESSAGES);
  const t = useT("article");
  return (
    <>
      <article className="container page">
        <ArticleHeader article={article} authorUid={authorUid} />
        <ArticleColumns
          aside={
            <>
              <OwnMessages messages={messages} id={FAVORITE_NOTICE} />
              {kept.kind === "found" && (
                <Favorite kept={kept.value} hasMessage={messages.length > 0} />
              )}
              {kept.kind === "failed" && <p className="soft small">{t("favorite.unread")}</p>}
              <ShareRow url={page.canonical} title={article.title} />
            </>
          }
        >
          <Prose html={body} look="article" cut={partial} />
          {partial && <Invitation uid={article.uid} member={member} offer={offer} />}
          <Tags tags={tags} />
          {biography && <About author={article.author} biography={biography} />}
        </ArticleColumns>
      </article>
      <Related articles={related} />
    </>
  );
}

function Tags({ tags }: { tags: ListLink[] }) {
  const t = useT("article");
  if (tags.length === 0) return null;
  return (
    <ul className="chips article__tags" aria-label={t("tags")}>
      {tags.map(({ name, href }) => (
        <li key={href}>
          <a className="chip" href={href}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

type AboutProps = { author?: ListLink; biography: string };

function About({ author, biography }: AboutProps) {
  const t = useT("article");
  return (
    <section className="article__about" aria-labelledby="about">
      <h2 id="about">{t("about")}</h2>
      <Prose html={biography} />
      {author && (
        <p>
          <a className="lone" href={author.href}>
            {t("byAuthor", { name: author.name })}
          </a>
        </p>
      )}
    </section>
  );
}

function Related({ articles }: { articles: ReadResult<ArticleCardData[]> }) {
  const t = useT("article");
  const isEmpty = articles.kind === "found" && articles.value.length === 0;
  if (articles.kind === "none" || isEmpty) return null;
  return (
    <aside className="section section--deep not-printed" aria-labelledby="related">
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
