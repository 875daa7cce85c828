import type { LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { requireSecret } from "~/support/failure.server";
import { kinds } from "~/support/kinds";
import { listThreads } from "~/support/list.server";
import { ContactTabs } from "~/support/tabs";
import { ThreadList } from "~/support/thread-list";
import { PageHeading } from "~/ui/page-heading";

export const meta = pageMeta;

export const handle = declarePage({
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

export default function ContactTicketsPage() {
  const { secret, list } = useLoaderData<typeof loader>();
  const t = useT("contact");
  return (
    <div className="container page page--narrow stack stack--l">
      <PageHeading title={t("list.title")} />
      <ContactTabs current="tickets" t={secret} />
      <ThreadList kind={kinds.contact} secret={secret} {...list} />
    </div>
  );
}
