import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brokenStatus, type Failure } from "~/api/errors";
import { mapResult } from "~/api/read-result";
import { findSubscription } from "~/api/subscription.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { subscriptionWords } from "~/i18n/subscription-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { Deletion } from "./deletion";
import { Download } from "./download";
import { deletionForm } from "./form";

export const meta = pageMeta;

/** Open to every account: these rights need no subscription. */
export const handle = declarePage({ secured: true, hydrate: true, i18n: ["data"] });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const subscribed = await findSubscription(visit);
  const end = mapResult(subscribed, ({ subscription, formula }) => {
    const { state, accessEnd } = subscriptionWords(subscription, formula);
    return state === "ended" ? null : accessEnd;
  });
  return {
    page: visit.describePage({ title: visit.t("data", "title") }),
    email: visit.session.claims()?.identifier ?? "",
    /** End of the paid access, which the deletion would take away. */
    accessEnd: end,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, deletionForm), deletionForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const uid = visit.session.claims()?.uid ?? "";
  const { lost } = submission.value;
  // Nobody is led to a sign-in that cannot work: the first one may have been carried out.
  if (lost) visit.answerInPlace();
  const outcome = await visit.attempt("deleteUser", { params: { uid } });
  if (!outcome.ok && lost && isGone(outcome.error)) {
    visit.session.clear();
    visit.session.flash({ type: "info", key: "accountGone" });
    return visit.redirect(paths.home(), { status: 303 });
  }
  if (!outcome.ok) {
    const isLost = brokenStatus(outcome.error) !== null;
    if (isLost) visit.answerInPlace();
    const errors = failureErrors("deletion", outcome.error);
    return refuse(visit, submission, errors, { lost: isLost || lost !== undefined });
  }
  visit.session.clear();
  visit.session.flash({ type: "success", key: "accountDeleted" });
  return visit.redirect(paths.home(), { status: 303 });
}

const isGone = ({ kind }: Failure) => kind === "unauthorized" || kind === "notFound";

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function AccountDataPage() {
  const { email, accessEnd } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { lost?: boolean }>();
  const t = useT("data");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("title")} lead={t("lead", { email })} />
      <Download />
      <Deletion accessEnd={accessEnd} reply={reply} />
    </div>
  );
}
