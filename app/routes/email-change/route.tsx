import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brokenStatus } from "~/api/errors";
import { failureErrors } from "~/forms/failures.server";
import { LinkSent } from "~/forms/link-request";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths, serverPaths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { rememberSentTo, takeSentTo } from "~/session/sent-to.server";
import { openVisit } from "~/session/visit.server";
import { DefinitionList } from "~/ui/definition-list";
import { PageHeading } from "~/ui/page-heading";
import { EmailForm } from "./fields";
import { emailForm } from "./form";

export const meta = pageMeta;

/**
 * Open to every account: the right to correct one's e-mail needs no subscription (RGPD, article 16). The page has no
 * script: people come once in years, and its code would be bytes of every form page.
 */
export const handle = declarePage({ secured: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  return {
    page: visit.describePage({ title: visit.t("email", "title") }),
    email: visit.session.claims()?.identifier ?? "",
    href: serverPaths.accountEmail(),
    sent: visit.url.searchParams.has("sent"),
    sentTo: takeSentTo(visit),
  };
}

/** Mails a link to the new address. The answer never tells whether that has an account. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, emailForm), emailForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { newEmail: email, currentPassword } = submission.value;
  const params = { uid: visit.session.claims()?.uid ?? "" };
  const outcome = await visit.attempt("requestEmailChange", {
    params,
    body: { email, currentPassword },
  });
  if (!outcome.ok) {
    if (brokenStatus(outcome.error) !== null) visit.answerInPlace();
    return refuse(visit, submission, failureErrors("email", outcome.error, fieldNames));
  }
  rememberSentTo(visit, email);
  return visit.redirect(serverPaths.accountEmail({ sent: "1" }), { status: 303 });
}

const fieldNames = { email: "newEmail", currentPassword: "currentPassword" };

export default function AccountEmailPage() {
  const { email, href, sent, sentTo } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  const isSent = sent && !reply;
  const t = useT("email");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("heading")} lead={isSent ? undefined : t("lead")} />
      <DefinitionList
        items={[{ term: t("current"), value: <span className="notranslate">{email}</span> }]}
      />
      {isSent ? (
        <LinkSent
          title={t("sent.title")}
          text={t("sent.text")}
          sentTo={sentTo}
          retry={{ text: t("sent.again"), href }}
        />
      ) : (
        <EmailForm email={email} action={href} reply={reply} />
      )}
      <p>
        <a className="lone" href={paths.account()}>
          {t("account")}
        </a>
      </p>
    </div>
  );
}
