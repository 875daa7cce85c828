import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import type { Failure } from "~/api/errors";
import { isDeadLink } from "~/api/mailed-link.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm, readOwnForm } from "~/forms/read.server";
import { refuse, type FormReply } from "~/forms/refuse.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { PageHeading } from "~/ui/page-heading";
import { UpdateForm, WornOut } from "./fields";
import { updateForm } from "./form";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, hydrate: "whenTouched", i18n: ["reset"] });

/** Opening a mailed link changes nothing, because mail scanners open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const token = visit.url.searchParams.get("token") ?? "";
  return {
    page: visit.describePage({ title: visit.t("reset", "update.title") }),
    token,
    isDead: await isDeadLink(visit, token),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const submission = parseForm(await readOwnForm(visit, args.request, updateForm), updateForm);
  if (submission.status !== "success") return refuse(visit, submission);
  const { token, password } = submission.value;
  const outcome = await visit.attempt("updatePassword", { body: { token, password } });
  if (!outcome.ok) {
    const wornOut = isWornOut(outcome.error);
    return refuse(visit, submission, failureErrors("newPassword", outcome.error, fieldNames), {
      wornOut,
    });
  }
  visit.session.disconnect("default");
  visit.session.flash({ type: "success", key: "passwordReset" });
  return visit.redirect(paths.login(), { status: 303 });
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ResetPasswordUpdatePage() {
  const { token, isDead } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply & { wornOut?: boolean }>();
  const t = useT("reset");
  // What became of a form that was sent is said by its reply.
  const usable = token !== "" && (reply ? !reply.wornOut : !isDead);
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("update.heading")} {...(usable && { lead: t("update.lead") })} />
      {usable ? <UpdateForm token={token} reply={reply} /> : <WornOut />}
    </div>
  );
}

const fieldNames = { password: "password", token: "token" };

const isWornOut = (failure: Failure) =>
  failure.kind === "validation" && failure.violations.some(({ property }) => property === "token");
