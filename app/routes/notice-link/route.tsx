import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { linkSecret, type Undoing } from "~/contract/subscriptions";
import { OwnerField } from "~/forms/owner";
import { isForeign, parseForm, readOwnForm } from "~/forms/read.server";
import { canTryAgain, refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import type { FlashMessage } from "~/session/data";
import { enter, type Visit } from "~/session/enter.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = page({ breadcrumb: false, personal: true });

/** Mailed links: opening one changes nothing, so that scanners do no harm. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const name = nameAt(visit);
  return {
    page: visit.page({ title: visit.t("links", `${name}.title`) }),
    name,
    token: visit.url.searchParams.get("token") ?? "",
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readOwnForm(visit, args.request, linkSecret);
  if (isForeign(form)) return refuseForeign(visit);
  const { call, key } = choiceOf(visit, form.get("intent"));
  const submission = parseForm(form, linkSecret);
  if (submission.status !== "success") return leave(visit, { type: "error", key: `${key}Failed` });
  const outcome = await visit.attempt(call, { body: submission.value });
  if (outcome.ok) return leave(visit, flashOf(key, outcome.value.payload.status));
  return canTryAgain(outcome.error)
    ? refuseButton(visit, outcome.error, `${key}Failed`)
    : leave(visit, { type: "error", key: `${key}Failed` });
}

export default function NoticeLinkPage() {
  const { name, token } = useLoaderData<typeof loader>();
  const t = useT("links");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t(`${name}.heading`)} lead={t(`${name}.text`)} />
      <Form method="post">
        <OwnerField />
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

function leave(visit: Visit, message: FlashMessage) {
  visit.session.flash(message);
  return visit.redirect(paths.home(), { status: 303 });
}

/** The two links differ in their words and the calls behind them. */
const nameAt = ({ url }: Visit): "withdrawal" | "undo" =>
  url.pathname.startsWith(paths.withdrawal()) ? "withdrawal" : "undo";

/** A withdrawal is confirmed or undone, a cancellation only undone. */
function choiceOf(visit: Visit, intent: unknown) {
  if (nameAt(visit) === "undo") return { call: "undoCancellation", key: "undo" } as const;
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
