import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { chosenFormula, type Chosen } from "~/api/formula.server";
import { owesNothing } from "~/api/subscription.server";
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
import { Unread } from "~/ui/unread";
import { CardPayment, LinkPayment } from "./fields";
import { linkForm, strangerCardForm } from "./form";
import { NoToken } from "./no-token";
import { submitCard } from "./submit.server";

/** Of what could not be read nothing is offered. */
const UNREAD: Partial<Chosen> & Pick<Chosen, "formula"> = { formula: null };

/** Of the loader's data, what a refused post has changed. */
type Refreshed = { member: string | null };

export const meta = pageMeta;

export const handle = page({ hydrate: true, i18n: ["card"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  rememberFunnel(visit, { cashback: false });
  if (await owesNothing(visit)) throw await visit.redirect(paths.account());
  const chosen = await chosenFormula(visit);
  const { formula, trafficToken, renewal } = chosen.kind === "found" ? chosen.value : UNREAD;
  const member = visit.session.claims()?.identifier ?? null;
  return {
    page: visit.page({ title: visit.t("card", "title") }),
    member,
    cardForm: config().cardForm,
    // Without an account the flow stands on the partner's token.
    isRead: chosen.kind === "found",
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
  const { isRead, ready, cardForm, offer, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & Partial<Refreshed>>();
  const t = useT("card");
  if (isRead && (!ready || !offer)) return <NoToken />;
  const member = reply?.member ?? loaded.member;
  const key = reply?.idempotencyKey ?? loaded.idempotencyKey;
  return (
    <div className="container page stack stack--l">
      <Steps current={member ? "payment" : "account"} />
      <PageHeading title={t("heading")} lead={t("lead")} />
      {!offer && <Unread text={t("unread")} />}
      {cardForm && (offer || reply) && (
        <CardPayment member={member} offer={offer} reply={reply} idempotencyKey={key} />
      )}
      {!cardForm && offer && <LinkPayment offer={offer} reply={reply} />}
    </div>
  );
}
