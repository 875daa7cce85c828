import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Form, useLoaderData } from "@remix-run/react";
import { isUnknownCall } from "~/api/unknown-call";
import { OwnerField } from "~/forms/owner";
import { isForeign, readOwnForm } from "~/forms/read.server";
import { refuseButton, refuseForeign } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { requireSecret, throwIfLost } from "~/support/failure.server";
import { kinds } from "~/support/kinds";
import { listThreads } from "~/support/list.server";
import { ContactTabs } from "~/support/tabs";
import { ThreadList } from "~/support/thread-list";
import { Button } from "~/ui/button";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({
  indexed: false,
  provider: "contact",
  support: "contact",
  breadcrumb: false,
  personal: true,
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const secret = await requireSecret(visit);
  // The title says whether the list failed.
  const list = await listThreads(visit, kinds.contact);
  return { page: visit.describePage({ title: visit.t("contact", "list.title") }), secret, list };
}

/** Revokes all mailed links of the address, this one too. Opening the page changes nothing. */
export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  await requireSecret(visit);
  if (isForeign(await readOwnForm(visit, args.request))) return refuseForeign(visit);
  const outcome = await visit.attempt("revokeSupportToken", {
    params: { type: "contact" },
    headers: {},
  });
  if (outcome.ok) {
    // Chromium keeps pages for Back although they say `no-store`, and forgets them only when a cookie changes.
    visit.session.flash({ type: "success", key: "linksRevoked" });
    return visit.redirect(paths.contactLink({ revoked: "1" }), { status: 303 });
  }
  // An unknown link is answered 401: 404 means that the API has no such call, and the links go on.
  if (!isUnknownCall("revokeSupportToken", outcome.error)) await throwIfLost(visit, outcome.error);
  return refuseButton(visit, outcome.error, "dataError");
}

export default function ContactTicketsPage() {
  const { secret, list } = useLoaderData<typeof loader>();
  const t = useT("contact");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("list.title")} />
      <ContactTabs current="tickets" t={secret} />
      <ThreadList kind={kinds.contact} secret={secret} {...list} />
      <section className="stack">
        <h2>{t("list.revocation.title")}</h2>
        <p>{t("list.revocation.text")}</p>
        <Form method="post" action={paths.contactTickets({ t: secret })}>
          <OwnerField />
          <Button>{t("list.revocation.submit")}</Button>
        </Form>
      </section>
    </div>
  );
}
