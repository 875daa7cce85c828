import { randomUUID } from "node:crypto";
import type { Submission } from "@conform-to/react";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { chosenFormula } from "~/api/formula.server";
import { unreadErrors } from "~/forms/failures.server";
import { goToBank } from "~/forms/go-to-bank.server";
import { openAccount } from "~/forms/open-account.server";
import { parseForm, readForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { offerOf } from "~/i18n/offer.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { rememberFunnel } from "~/session/funnel.server";
import { PageHeading } from "~/ui/page-heading";
import { PriceBox } from "~/ui/price-box";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";
import { MemberForm, RegistrationForm } from "./fields";
import { continuation, registrationForm } from "./form";

export const meta = pageMeta;

export const handle = page({ hydrate: true, i18n: ["registration"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  rememberFunnel(visit, { cashback: isWelcome(visit) });
  if (visit.session.hasRole("vip")) throw await visit.redirect(paths.account());
  const chosen = await chosenFormula(visit);
  const formula = chosen.kind === "found" ? chosen.value.formula : null;
  return {
    page: visit.page({
      title: visit.t("registration", isWelcome(visit) ? "welcome.title" : "title"),
      description: visit.t("registration", "description"),
    }),
    member: visit.session.claims()?.identifier ?? null,
    isRead: chosen.kind === "found",
    offer: formula && offerOf(formula),
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request, registrationForm);
  if (visit.session.claims() && form.get("intent") === "pay") {
    return goOn(visit, parseForm(form, continuation));
  }
  const submission = parseForm(form, registrationForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const chosen = await chosenFormula(visit);
  if (chosen.kind === "failed") return refuse(visit, submission, unreadErrors());
  const opened = await openAccount(visit, submission.value, chosen.value.formulaUid);
  return opened.ok ? goOn(visit, submission) : refuse(visit, submission, opened.errors);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function RegistrationPage() {
  const { isRead, offer, idempotencyKey, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { member?: string | null }>();
  const member = reply?.member ?? loaded.member;
  const t = useT("registration");
  return (
    <div className="container page stack stack--l">
      <Steps current={member ? "payment" : "account"} />
      {member ? (
        <PageHeading title={t("member.heading")} />
      ) : (
        <PageHeading title={t("heading")} lead={t("lead")} />
      )}
      <div className="split">
        {member ? (
          <MemberForm email={member} reply={reply} />
        ) : (
          <RegistrationForm
            reply={reply}
            idempotencyKey={reply?.idempotencyKey ?? idempotencyKey}
          />
        )}
        {!isRead && <Unread text={t("unread")} />}
        {offer && <PriceBox {...offer} title={t("offer")} trust={t("trust")} />}
      </div>
    </div>
  );
}

/** The cashback variant lives at its own address and pays at the site's card form. */
function isWelcome({ url }: Visit) {
  return url.pathname === paths.welcome();
}

function goOn<T>(visit: Visit, submission: Submission<T, string[]>) {
  return visit.session.data.cashback
    ? visit.redirect(paths.registrationPayment(), { status: 303 })
    : goToBank(visit, submission);
}
