import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { requireUid } from "~/api/require-uid.server";
import type { FormReply } from "~/forms/refuse.server";
import { readOwnForm } from "~/forms/read.server";
import { useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { OwnMessages, useOwnMessages } from "~/layout/flash";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { requireSecret } from "~/support/failure.server";
import { readMarkForm, replyForm } from "~/support/form";
import { kinds } from "~/support/kinds";
import { THREAD_MESSAGES, ThreadPage } from "~/support/thread";
import { loadThread, submitToThread, threadTitle } from "~/support/thread.server";

export const meta = pageMeta;

export const handle = declarePage({
  indexed: false,
  provider: "contact",
  support: "contact",
  breadcrumb: false,
  hydrate: "atOnce",
  ownMessages: THREAD_MESSAGES,
  i18n: ["contact", "support"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const secret = await requireSecret(visit);
  const uid = await requireUid(visit, args.params);
  const thread = await loadThread(visit, kinds.contact, uid);
  return {
    page: visit.describePage({ title: threadTitle(visit, kinds.contact, thread) }),
    secret,
    uid,
    thread,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  await requireSecret(visit);
  const form = await readOwnForm(visit, args.request, replyForm, readMarkForm);
  return submitToThread(visit, kinds.contact, await requireUid(visit, args.params), form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function ContactTicketPage() {
  const { secret, uid, thread } = useLoaderData<typeof loader>();
  const reply = useAnswer<FormReply>();
  const sent = <OwnMessages messages={useOwnMessages(THREAD_MESSAGES)} />;
  return (
    <ThreadPage
      kind={kinds.contact}
      secret={secret}
      uid={uid}
      thread={thread}
      reply={reply}
      sent={sent}
    />
  );
}
