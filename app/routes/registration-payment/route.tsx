import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FAILED, found, NONE, type Found } from "~/api/found";
import { currentOffer, isNotSold } from "~/api/offer.server";
import { leftSubscription, owesNothing } from "~/api/subscription.server";
import { config } from "~/config.server";
import { offerForm, offerOnPage, type OfferOnPage } from "~/forms/offer.server";
import { readOwnForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { rememberFunnel } from "~/session/funnel.server";
import { PageHeading } from "~/ui/page-heading";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";
import { CardPayment, LinkPayment } from "./fields";
import { strangerCardForm } from "./form";
import { NoToken } from "./no-token";
import { submitCard, submitLink } from "./submit.server";

/** Of the loader's data, what a refused post has changed. */
type Refreshed = { member: string | null; offer: OfferOnPage | null };

export const meta = pageMeta;

export const handle = page({ hydrate: true, i18n: ["card"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  rememberFunnel(visit, { cashback: false });
  const wasMember = visit.session.claims() !== null;
  const left = await leftSubscription(visit);
  if (left.kind === "found") throw await visit.redirect(paths.registration());
  if (await owesNothing(visit)) throw await visit.redirect(paths.account());
  const [read, bank] = await Promise.all([
    offerToPay(visit),
    visit.attempt("getBankingService", {}),
  ]);
  // Whose session ended elsewhere is no stranger without a partner's link.
  if (wasMember && !visit.session.claims()) return visit.leaveSignedOut();
  return {
    page: visit.page({ title: visit.t("card", "title") }),
    member: visit.session.claims()?.identifier ?? null,
    cardForm: config().cardForm,
    isRead: read.kind !== "failed",
    offer: read.kind === "found" ? read.value : null,
    statement: bank.ok ? bank.value.payload.name : null,
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readOwnForm(visit, args.request, strangerCardForm, offerForm);
  const isLink = form.get("intent") === "link" || !config().cardForm;
  return isLink ? submitLink(visit, form) : submitCard(visit, form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function PaymentPage() {
  const { isRead, cardForm, statement, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & Partial<Refreshed>>();
  const t = useT("card");
  const member = reply?.member ?? loaded.member;
  const offer = reply?.offer ?? loaded.offer;
  const idempotencyKey = reply?.idempotencyKey ?? loaded.idempotencyKey;
  // Without an account the flow stands on the partner's token.
  const isOpen = offer && (member || offer.values.trafficToken);
  if (!isOpen && (offer || isRead)) return <NoToken />;
  const payment = { member, statement, reply, idempotencyKey };
  return (
    <div className="container page stack stack--l">
      <Steps current={member ? "payment" : "account"} />
      <PageHeading title={t("heading")} lead={t("lead")} />
      {!offer && <Unread text={t("unread")} />}
      {cardForm && (offer || reply) && <CardPayment {...payment} offer={offer} />}
      {!cardForm && offer && <LinkPayment {...payment} offer={offer} />}
    </div>
  );
}

/** None where nothing is sold to the visitor; a subscriber pays what is due and nothing else. */
async function offerToPay(visit: Visit): Promise<Found<OfferOnPage>> {
  const current = await currentOffer(visit);
  if (!current.ok) return isNotSold(current.error) ? NONE : FAILED;
  if (visit.session.hasRole("vip") && !current.offer.due) {
    throw await visit.redirect(paths.account());
  }
  return found(offerOnPage(current.offer));
}
