import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { chosenFormula } from "~/api/formula.server";
import { leftSubscription, owesPayment } from "~/api/subscription.server";
import { config } from "~/config.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { parseForm, readForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { offerOf } from "~/i18n/offer.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { rememberFunnel } from "~/session/funnel.server";
import { PageHeading } from "~/ui/page-heading";
import { Steps } from "~/ui/steps";
import { CardPayment, LinkPayment } from "./fields";
import { linkForm, strangerCardForm } from "./form";
import { NoToken } from "./no-token";
import { submitCard } from "./submit.server";

/** Of the loader's data, what a refused post has changed. */
type Refreshed = { member: string | null; idempotencyKey: string };

export const meta = pageMeta;

export const handle = page({ hydrate: true, i18n: ["card"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  rememberFunnel(visit, { cashback: false });
  if (await leftSubscription(visit)) throw await visit.redirect(paths.registration());
  if (!(await owesPayment(visit))) throw await visit.redirect(paths.account());
  const { formula, trafficToken, renewal } = await chosenFormula(visit);
  const member = visit.session.claims()?.identifier ?? null;
  return {
    page: visit.page({ title: visit.t("card", "title") }),
    member,
    cardForm: config().cardForm,
    // Without an account the flow stands on the partner's token.
    ready: formula !== null && (member !== null || trafficToken !== undefined),
    offer: formula && offerOf(formula, { renewal }),
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request, strangerCardForm);
  if (form.get("intent") === "link" || !config().cardForm) {
    return goToBank(visit, parseForm(form, linkForm));
  }
  return submitCard(visit, form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function PaymentPage() {
  const { ready, cardForm, offer, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & Partial<Refreshed>>();
  const t = useT("card");
  if (!ready || !offer) return <NoToken />;
  const member = reply?.member ?? loaded.member;
  const key = reply?.idempotencyKey ?? loaded.idempotencyKey;
  return (
    <div className="container page stack stack--l">
      <Steps current={member ? "payment" : "account"} />
      <PageHeading title={t("heading")} lead={t("lead")} />
      {cardForm ? (
        <CardPayment member={member} offer={offer} reply={reply} idempotencyKey={key} />
      ) : (
        <LinkPayment offer={offer} reply={reply} />
      )}
    </div>
  );
}
