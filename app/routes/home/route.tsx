import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { cardsOf } from "~/api/cards.server";
import { defaultOffer } from "~/api/offer.server";
import { reference } from "~/api/reference.server";
import { pageMeta } from "~/i18n/meta";
import { offerWords } from "~/i18n/offer.server";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { LatestArticles, Questions, Steps, Team } from "./sections";
import { LastCall, MemberHero, Offer, VisitorHero } from "./calls";

const LATEST = 6;

export const meta = pageMeta;

export const handle = page({ breadcrumb: false });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const [home, latest, held, offer] = await Promise.all([
    visit.read("getPage", { params: { uid: "home" } }),
    visit.read("listArticles", { query: { length: LATEST } }),
    reference(visit),
    visit.session.hasRole("vip") ? null : defaultOffer(visit),
  ]);
  const { title, summary, body } = home.payload;
  return {
    page: visit.page({ title: visit.t("home", "title"), description: summary }),
    member: visit.session.hasRole("vip"),
    title,
    summary,
    questions: body,
    articles: cardsOf(latest.payload, held),
    coaches: [...held.authors.values()],
    offer: offer && offerWords(offer),
  };
}

export default function HomePage() {
  const { member, title, summary, questions, articles, coaches, offer } =
    useLoaderData<typeof loader>();
  return (
    <>
      {member ? <MemberHero /> : <VisitorHero title={title} lead={summary} />}
      {!member && <Steps />}
      <LatestArticles articles={articles} />
      <Team coaches={coaches} />
      {!member && offer && <Offer offer={offer} />}
      <Questions html={questions} />
      {!member && <LastCall />}
    </>
  );
}
