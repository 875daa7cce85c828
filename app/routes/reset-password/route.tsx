import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { LinkRequest, LinkSent } from "~/forms/link-request";
import { ownEmail } from "~/api/profile.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { rememberSentTo, takeSentTo } from "~/session/sent-to.server";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { requestForm } from "./form";

export const meta = pageMeta;

export const handle = declarePage({ hydrate: "whenTouched", i18n: ["reset"], shared: ["sent"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  return {
    page: visit.describePage({
      title: visit.t("reset", "title"),
      description: visit.t("reset", "description"),
    }),
    email: await ownEmail(visit),
    sent: visit.url.searchParams.has("sent"),
    sentTo: takeSentTo(visit),
  };
}

/** Mails a link. The answer never tells whether the account exists. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, requestForm), requestForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { email } = submission.value;
  const outcome = await visit.attempt("requestPasswordReset", { body: { identifier: email } });
  if (!outcome.ok) return refuse(visit, submission, failureErrors("reset", outcome.error));
  rememberSentTo(visit, email);
  return visit.redirect(paths.resetPassword({ sent: "1" }), { status: 303 });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ResetPasswordPage() {
  const { email, sent, sentTo } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply>();
  const isSent = sent && !reply;
  const t = useT("reset");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("heading")} lead={isSent ? undefined : t("lead")} />
      {isSent ? (
        <LinkSent
          title={t("sent.title")}
          text={t("sent.text")}
          sentTo={sentTo}
          retry={{ text: t("sent.again"), href: paths.resetPassword() }}
        />
      ) : (
        <LinkRequest
          id="reset"
          action={paths.resetPassword()}
          email={email}
          reply={reply}
          label={t("email")}
          submit={t("submit")}
        />
      )}
      <p>
        <a className="lone" href={paths.login()}>
          {t("login")}
        </a>
      </p>
    </div>
  );
}
