import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { paymentState } from "~/api/payment.server";
import { config } from "~/config.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta, refreshing } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { page } from "~/session/access";
import { enter } from "~/session/enter.server";
import { safeReturnPath } from "~/session/return-path.server";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { LoginForm, SignedIn } from "./fields";
import { loginForm } from "./form";

export const meta: MetaFunction = (args) => [...pageMeta(args), ...refreshing(args)];

export const handle = page({ hydrate: true, i18n: ["login"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const { session, url, t } = visit;
  const returnTo = safeReturnPath(url.searchParams.get("returnTo"));
  const vip = session.hasRole("vip");
  if (vip) throw await visit.redirect(returnTo ?? config().redirectPath);
  return {
    page: visit.page({ title: t("login", "title"), description: t("login", "description") }),
    email: session.claims()?.identifier ?? null,
    // Paid, but the access is not open yet: up to five minutes.
    waits: ["success", "pending"].includes((await paymentState(visit)).kind),
    returnTo,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const submission = parseForm(await readForm(args.request), loginForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { email, password } = submission.value;
  const outcome = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!outcome.ok) {
    return refuse(visit, submission, failureErrors("login", outcome.error));
  }
  visit.session.connect("default", outcome.value.payload.token);
  const wanted = safeReturnPath(visit.url.searchParams.get("returnTo"));
  return visit.redirect(wanted ?? config().redirectPath, { status: 303 });
}

export default function LoginPage() {
  const { email, returnTo, waits } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const t = useT("login");
  return (
    <div className="container page page--narrow stack stack--l">
      {email ? (
        <SignedIn email={email} returnTo={returnTo} waits={waits} />
      ) : (
        <>
          <PageHeading title={t("heading")} />
          {returnTo && <Notice tone="info">{t("needed")}</Notice>}
          <LoginForm reply={reply} returnTo={returnTo} />
        </>
      )}
    </div>
  );
}
