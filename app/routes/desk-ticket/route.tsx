import { randomUUID } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ComponentProps } from "react";
import { requireUid } from "~/api/require-uid.server";
import { mapResult } from "~/api/read-result";
import { readOwnForm } from "~/forms/read.server";
import type { FormReply } from "~/forms/refuse.server";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { declarePage } from "~/session/page-handle";
import { openVisit } from "~/session/visit.server";
import { DeskStatus } from "~/support/desk-status";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useRevalidation } from "~/support/use-revalidation";
import { useLastFound } from "~/support/use-last-found";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Answer } from "./answer";
import { Conversation } from "./conversation";
import { ManagePanel } from "./manage-panel";
import { answerForm, changeForm } from "./form";
import { PersonPanel } from "./person-panel";
import { submitAnswer, submitChange } from "./submit.server";
import { deskThreadWords, type DeskThreadWords } from "./words.server";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["coach"],
  hydrate: true,
  i18n: ["desk"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = await requireUid(visit, args.params);
  const cursor = visit.url.searchParams.get("cursor");
  const [read, coaches] = await Promise.all([
    visit.find("getDeskTicket", { params: { uid }, query: cursor ? { cursor } : {} }),
    visit.find("listCoaches", {}),
  ]);
  if (read.kind === "none" && !visit.answersInPlace()) return visit.throwNotFound();
  const thread = mapResult(read, deskThreadWords);
  const title =
    thread.kind === "found" ? thread.value.ticket.title : visit.t("desk", "thread.unread");
  return {
    page: visit.describePage({ title }),
    uid,
    thread,
    isNewest: !cursor,
    coaches: mapResult(coaches, ({ payload }) => payload),
    idempotencyKey: randomUUID(),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, answerForm, changeForm);
  const uid = await requireUid(visit, args.params);
  return form.has("message") ? submitAnswer(visit, uid, form) : submitChange(visit, uid, form);
}

export { clientAction, shouldRevalidate } from "~/forms/unsent";

export default function DeskTicketPage() {
  const { uid, isNewest, coaches, idempotencyKey, ...loaded } = useLoaderData<typeof loader>();
  const reply = useActionData<FormReply & { form?: "answer" | "change" }>();
  const t = useT("desk");
  const replyTo = (form: "answer" | "change") => (reply?.form === form ? reply : undefined);
  const thread = useLastFound<DeskThreadWords>(loaded.thread, uid);
  useRevalidation(reply);
  useDeskKeys();
  const answer = { uid, idempotencyKey, reply: replyTo("answer") };
  if (thread.kind !== "found") return <UnreadThread answer={answer} />;
  const { ticket, person, messages, older, version, assignee } = thread.value;
  return (
    <div className="container page stack stack--l">
      <p>
        <a href={paths.desk()} data-desk-back>
          {t("thread.back")}
        </a>
      </p>
      <PageHeading title={ticket.title} />
      <Cluster>
        <Tag>{t(`types.${ticket.type}`)}</Tag>
        {ticket.category && <Tag>{ticket.category}</Tag>}
        <DeskStatus status={ticket.status} />
      </Cluster>
      <div className="split">
        <div className="stack stack--l">
          <Conversation uid={uid} messages={messages} older={older} />
          {!isNewest && (
            <p>
              <ButtonLink href={paths.deskTicket(uid)}>{t("thread.newest")}</ButtonLink>
            </p>
          )}
          <Answer {...answer} version={version} />
        </div>
        <div className="stack stack--l">
          <PersonPanel {...person} />
          <ManagePanel
            uid={uid}
            version={version}
            assignee={assignee}
            coaches={coaches}
            status={ticket.status}
            reply={replyTo("change")}
          />
        </div>
      </div>
    </div>
  );
}

/** Replaces a thread that cannot be read. A refused answer stays and can be sent again. */
function UnreadThread({ answer }: { answer: ComponentProps<typeof Answer> }) {
  const t = useT("desk");
  return (
    <div className="container page stack stack--l">
      <p>
        <a href={paths.desk()} data-desk-back>
          {t("thread.back")}
        </a>
      </p>
      <PageHeading title={t("thread.unread")} />
      {!answer.reply?.lost && <Unread snackbar text={t("thread.unreadText")} />}
      {answer.reply && <Answer {...answer} />}
    </div>
  );
}
