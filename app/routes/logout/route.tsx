import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { isForeign, readForm } from "~/forms/read.server";
import { refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { signOut } from "~/session/sign-out.server";
import { openVisit } from "~/session/visit.server";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({ indexed: false, personal: true });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const own = await visit.signedIn();
  const read = own.kind === "none" ? await visit.signedIn("contact") : own;
  return {
    page: visit.describePage({ title: visit.t("logout", "title") }),
    isOpen: read.kind !== "none",
    /** Null unless the API confirms the session: the person may have signed out already. */
    email: read.kind === "found" ? read.value.identifier : null,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readForm(args.request);
  if (isForeign(form)) return refuseForeign(visit);
  const { session, redirect } = visit;
  await signOut(visit, args.request);
  session.flash({ type: "success", key: "signedOut" });
  return redirect(paths.home(), { status: 303 });
}

export default function LogoutPage() {
  const { isOpen, email } = useLoaderData<typeof loader>();
  const t = useT("logout");
  const lead = email ? t("text", { email }) : t(isOpen ? "unnamed" : "none");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("heading")} lead={lead} />
      {isOpen ? (
        <Form method="post">
          <Cluster>
            <Button look="primary">{t("submit")}</Button>
            <ButtonLink look="quiet" href={paths.home()}>
              {t("cancel")}
            </ButtonLink>
          </Cluster>
        </Form>
      ) : (
        <p>
          <ButtonLink href={paths.login()}>{t("login")}</ButtonLink>
        </p>
      )}
    </div>
  );
}
