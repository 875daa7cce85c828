import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { linkSecret, type Undoing } from "~/contract/subscriptions";
import { isForeign, parseForm, readForm } from "~/forms/read.server";
import { isRetryable, refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import type { FlashMessage } from "~/session/data";
import { openVisit, type Visit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ breadcrumb: false, personal: true });

/** Opening a mailed link changes nothing, because mail scanners open links too. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const name = linkNameOf(visit);
  return {
    page: visit.describePage({ title: visit.t("links", `${name}.title`) }),
    name,
    token: visit.url.searchParams.get("token") ?? "",
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readForm(args.request, linkSecret);
  if (isForeign(form)) return refuseForeign(visit);
  const { call, key } = choiceOf(visit, form.get("intent"));
  const submission = parseForm(form, linkSecret);
  if (submission.status !== "success")
    return redirectHome(visit, { type: "error", key: `${key}Failed` });
  const outcome = await visit.attempt(call, { body: submission.value });
  if (outcome.ok) return redirectHome(visit, flashOf(key, outcome.value.payload.status));
  return isRetryable(outcome.error)
    ? refuseButton(visit, outcome.error, `${key}Failed`)
    : redirectHome(visit, { type: "error", key: `${key}Failed` });
}

export default function NoticeLinkPage() {
  const { name, token } = useLoaderData<typeof loader>();
  const t = useT("links");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t(`${name}.heading`)} lead={t(`${name}.text`)} />
      <Form method="post">
        <Cluster>
          <input type="hidden" name="token" value={token} />
          <Button look="primary">{t(`${name}.submit`)}</Button>
          {name === "withdrawal" && (
            <Button name="intent" value="undo">
              {t("withdrawal.undo")}
            </Button>
          )}
          <ButtonLink look="quiet" href={paths.home()}>
            {t("leave")}
          </ButtonLink>
        </Cluster>
      </Form>
    </div>
  );
}

function redirectHome(visit: Visit, message: FlashMessage) {
  visit.session.flash(message);
  return visit.redirect(paths.home(), { status: 303 });
}

/** The two links differ in their texts and calls. */
const linkNameOf = ({ url }: Visit): "withdrawal" | "undo" =>
  url.pathname.startsWith(paths.withdrawal()) ? "withdrawal" : "undo";

/**
 * The call for the pressed button. A withdrawal can be confirmed or undone, a cancellation only
 * undone.
 */
function choiceOf(visit: Visit, intent: unknown) {
  if (linkNameOf(visit) === "undo") return { call: "undoCancellation", key: "undo" } as const;
  return intent === "undo"
    ? ({ call: "undoWithdrawal", key: "withdrawalUndo" } as const)
    : ({ call: "confirmWithdrawal", key: "withdrawal" } as const);
}

function flashOf(
  key: ReturnType<typeof choiceOf>["key"],
  status: "confirmed" | Undoing["status"],
): FlashMessage {
  if (key === "withdrawal") return { type: "success", key: "withdrawalDone" };
  if (status === "ended") return { type: "warning", key: `${key}Ended` };
  if (status === "stopped") return { type: "warning", key: `${key}Stopped` };
  return { type: "success", key: `${key}Done` };
}
