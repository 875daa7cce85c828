import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { subscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { PageHeading } from "~/ui/page-heading";
import { nameForm } from "./form";
import { ProfilePanel, SubscriptionPanel } from "./panels";
import { readMetadata, saveName } from "./profile.server";
import { findSubscription } from "~/api/subscription.server";

export const meta = pageMeta;

export const handle = page({ secured: true, roles: ["vip"], hydrate: true, i18n: ["account"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const uid = uidOf(visit);
  const [user, metadata, subscribed, bank] = await Promise.all([
    visit.read("getUser", { params: { uid } }),
    readMetadata(visit, uid),
    findSubscription(visit),
    visit.attempt("getBankingService", {}),
  ]);
  return {
    page: visit.page({ title: visit.t("account", "title") }),
    email: user.payload.email,
    name: metadata.profile?.name ?? null,
    subscription: subscribed && subscriptionWords(subscribed.subscription, subscribed.formula),
    statement: bank.ok ? bank.value.payload : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const submission = parseForm(await readForm(args.request), nameForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const outcome = await saveName(visit, uidOf(visit), submission.value.name);
  if (!outcome.ok) {
    return refuse(visit, submission, failureErrors("account", outcome.error));
  }
  visit.session.flash({ type: "success", key: "nameSaved" });
  return visit.redirect(paths.account(), { status: 303 });
}

export default function AccountPage() {
  const { email, name, subscription, statement } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const t = useT("account");
  return (
    <div className="container page stack stack--l">
      <PageHeading title={t("title")} lead={t("lead")} />
      <div className="panels">
        <ProfilePanel email={email} name={name} reply={reply} />
        <SubscriptionPanel subscription={subscription} statement={statement} />
      </div>
    </div>
  );
}

function uidOf({ session }: Visit): string {
  return session.claims()?.uid ?? "";
}
