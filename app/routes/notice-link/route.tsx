import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { linkSecret } from "~/contract/subscriptions";
import { isForeign, parseForm, readForm } from "~/forms/read.server";
import { refuseButton } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = page({ breadcrumb: false, personal: true });

/** Mailed links: opening one changes nothing, so that scanners do no harm. */
export async function loader(args: LoaderFunctionArgs) {
  const visit = await enter(args, handle);
  const link = linkAt(visit);
  return {
    page: visit.page({ title: visit.t("links", `${link.name}.title`) }),
    name: link.name,
    token: visit.url.searchParams.get("token") ?? "",
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await enter(args, handle);
  const form = await readForm(args.request, linkSecret);
  if (isForeign(form)) return refuseButton(visit);
  const link = linkAt(visit);
  const submission = parseForm(form, linkSecret);
  const done =
    submission.status === "success" &&
    (await visit.attempt(link.call, { body: submission.value })).ok;
  visit.session.flash(
    done
      ? { type: "success", key: `${link.name}Done` }
      : { type: "error", key: `${link.name}Failed` },
  );
  return visit.redirect(paths.home(), { status: 303 });
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
          <ButtonLink look="quiet" href={paths.home()}>
            {t("leave")}
          </ButtonLink>
        </Cluster>
      </Form>
    </div>
  );
}

/** The two links differ in their words and the call behind them. */
function linkAt({ url }: Visit) {
  return url.pathname.startsWith(paths.withdrawal())
    ? ({ name: "withdrawal", call: "confirmWithdrawal" } as const)
    : ({ name: "undo", call: "undoCancellation" } as const);
}
