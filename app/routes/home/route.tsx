import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { articleCardsOf } from "~/api/cards.server";
import { findAdvertisedOffer } from "~/api/offer.server";
import { requireReference } from "~/api/reference.server";
import { pageMeta } from "~/i18n/meta";
import { orderWords } from "~/i18n/order-words.server";
import { filePaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { feedTitle } from "~/sharing/feed.server";
import { siteShare } from "~/sharing/share.server";
import { homeData } from "~/sharing/site-data.server";
import { LatestArticles, Questions, Steps, Team } from "./sections";
import { LastCall, SubscriberHero, Offer, VisitorHero } from "./call-to-action";

const LATEST = 6;

export const meta = pageMeta;

export const handle = declarePage({
  breadcrumb: false,
  shared: [],
  perRole: [],
  thirdParties: true,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const isSubscriber = visit.session.hasRole("vip");
  const [home, latest, reference, offer] = await Promise.all([
    visit.require("getPage", { params: { uid: "home" } }),
    visit.require("listArticles", { query: { length: LATEST } }),
    requireReference(visit),
    isSubscriber ? null : findAdvertisedOffer(visit),
  ]);
  const { title, summary, body } = home.payload;
  return {
    page: visit.describePage({
      title: visit.t("home", "title"),
      description: summary,
      share: siteShare(),
      feed: { title: feedTitle(), path: filePaths.feed() },
      data: homeData(visit.origin),
    }),
    isSubscriber,
    title,
    summary,
    questions: body,
    articles: articleCardsOf(latest.payload, { reference, isSubscriber }),
    coaches: [...reference.authors.values()],
    offer: offer && orderWords(offer),
  };
}

export default function HomePage() {
  const { isSubscriber, title, summary, questions, articles, coaches, offer } =
    useLoaderData<typeof loader>();
  const hasTrial = offer?.trial !== undefined;
  return (
    <>
      {isSubscriber ? (
        <SubscriberHero />
      ) : (
        <VisitorHero title={title} lead={summary} offer={offer} />
      )}
      {!isSubscriber && <Steps />}
      <LatestArticles articles={articles} />
      <Team coaches={coaches} />
      {!isSubscriber && offer && <Offer offer={offer} />}
      <Questions html={questions} />
      {!isSubscriber && <LastCall hasTrial={hasTrial} />}
    </>
  );
}
