import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { FormReply } from "~/forms/refuse.server";
import { readForm } from "~/forms/read.server";
import { pageMeta } from "~/i18n/meta";
import { paths } from "~/paths";
import { page } from "~/session/access";
import { enter, type Visit } from "~/session/enter.server";
import { kinds } from "~/support/kinds";
import { Thread } from "~/support/thread";
import { loadThread, submitToThread } from "~/support/thread.server";

export const meta = pageMeta;

export const handle = page({
  provider: "contact",
  support: "contact",
  breadcrumb: false,
  hydrate: true,
  i18n: ["contact", "support"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await opened(await enter(args, handle));
  const thread = await loadThread(visit, kinds.contact, args.params.uid ?? "");
  return { page: visit.page({ title: thread.ticket.title }), secret: visit.secret, thread };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await opened(await enter(args, handle));
  const form = await readForm(args.request);
  return submitToThread(visit, kinds.contact, args.params.uid ?? "", form);
}

export default function ContactTicketPage() {
  const { secret, thread } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply>();
  return <Thread kind={kinds.contact} secret={secret} thread={thread} reply={reply} />;
}

/** Without the mailed link's secret nobody's ticket can be shown. */
async function opened(visit: Visit) {
  if (!visit.secret) throw await visit.redirect(paths.contactLink());
  return visit;
}
