import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData, type ShouldRevalidateFunction } from "@remix-run/react";
import type { ComponentProps } from "react";
import { requireUid } from "~/api/require-uid.server";
import { FAILED, found, mapResult, NONE, type ReadResult } from "~/api/read-result";
import { throwResponse } from "~/api/throw-response";
import { isUnknownCall } from "~/api/unknown-call";
import { readOwnForm } from "~/forms/read.server";
import { RestoreButton } from "~/forms/restore-button";
import { isUnsent, useAnswer } from "~/forms/unsent";
import { pageMeta } from "~/i18n/meta";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { newFormKey } from "~/session/form-key.server";
import { declarePage } from "~/session/page-handle";
import { openVisit, type Visit } from "~/session/visit.server";
import { Birth } from "~/support/birth";
import { DeskStatus } from "~/support/desk-status";
import { useDeskKeys } from "~/support/use-desk-keys";
import { useRevalidation } from "~/support/use-revalidation";
import { useLastFound } from "~/support/use-last-found";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Answer } from "./answer";
import { Conversation } from "./conversation";
import { MANAGE_MESSAGES, ManagePanel } from "./manage-panel";
import { answerForm, changeForm } from "./form";
import { PersonPanel } from "./person-panel";
import { submit } from "./submit.server";
import { useTicketForm, type TicketReply } from "./use-ticket-form";
import { deskThreadWords, type DeskThreadWords } from "./words.server";

export const meta = pageMeta;

export const handle = declarePage({
  secured: true,
  roles: ["coach"],
  hydrate: "atOnce",
  ownMessages: MANAGE_MESSAGES,
  i18n: ["desk", "support"],
});

export async function loader(args: LoaderFunctionArgs) {
  const visit = await openVisit(args, handle);
  const uid = await requireUid(visit, args.params);
  const cursor = visit.url.searchParams.get("cursor");
  const [read, coaches] = await Promise.all([
    findThread(visit, uid, cursor),
    visit.find("listCoaches", {}),
  ]);
  const isKept = visit.answersInPlace() || visit.isReload();
  if (read.kind === "none" && !isKept) return visit.throwNotFound();
  // When the page only looks for news, the thread that it shows stays.
  const isUnread = read.kind === "failed" && !visit.isReload();
  const unread = isUnread && visit.markUnread(visit.t("desk", "thread.unreadText"));
  const thread = mapResult(read, deskThreadWords);
  return {
    page: visit.describePage({ title: titleOf(visit, thread) }),
    uid,
    thread,
    unread,
    isNewest: !cursor,
    coaches: mapResult(coaches, ({ payload }) => payload),
    idempotencyKey: newFormKey(),
  };
}

/** @throws Response 400 for a cursor that belongs to no such thread; what was typed stays in its page */
async function findThread(visit: Visit, uid: string, cursor: string | null) {
  const query = cursor ? { cursor } : {};
  const outcome = await visit.attempt("getDeskTicket", { params: { uid }, query });
  if (outcome.ok) return found(outcome.value);
  const { kind } = outcome.error;
  if (isUnknownCall("getDeskTicket", outcome.error)) return NONE;
  const isOfAddress = kind === "validation" || kind === "requestValidation";
  const isKept = visit.answersInPlace() || visit.isReload();
  return isOfAddress && !isKept ? throwResponse(outcome.error) : FAILED;
}

export async function action(args: ActionFunctionArgs) {
  const visit = await openVisit(args, handle);
  const form = await readOwnForm(visit, args.request, answerForm, changeForm);
  return submit(visit, await requireUid(visit, args.params), form);
}

export { clientAction } from "~/forms/unsent";

/** The cause of a refusal may be another coach's change, so the page is loaded again. */
export const shouldRevalidate: ShouldRevalidateFunction = ({ actionResult }) =>
  !isUnsent(actionResult);

export default function DeskTicketPage() {
  const { uid, unread, isNewest, idempotencyKey, ...loaded } = useLoaderData<typeof loader>();
  const reply = useAnswer<TicketReply>();
  const t = useT("desk");
  const thread = useLastFound<DeskThreadWords>(loaded.thread, uid);
  const coaches = useLastFound<Coaches>(loaded.coaches, uid);
  const isGone = loaded.thread.kind === "none";
  const ticketForm = useTicketForm(reply);
  useRevalidation(!isGone);
  useDeskKeys();
  const answer = { uid, idempotencyKey, ticketForm };
  return (
    <div className="container page stack stack--l">
      <p>
        <a className="lone" href={paths.desk()} data-desk-back>
          {t("thread.back")}
        </a>
      </p>
      {thread.kind === "found" ? (
        <Thread
          {...thread.value}
          answer={answer}
          isNewest={isNewest}
          isGone={isGone}
          coaches={coaches}
        />
      ) : (
        <UnreadThread unread={unread} answer={answer} />
      )}
    </div>
  );
}

function titleOf(visit: Visit, thread: ReadResult<DeskThreadWords>) {
  if (thread.kind === "found") return thread.value.ticket.title;
  return visit.t("desk", thread.kind === "none" ? "thread.goneTitle" : "thread.unread");
}

type Coaches = { uid: string; name: string }[];

type AnswerProps = Omit<ComponentProps<typeof Answer>, "version" | "isClosed" | "isGone">;

type ThreadProps = DeskThreadWords & {
  answer: AnswerProps;
  isNewest: boolean;
  isGone: boolean;
  coaches: ReadResult<Coaches>;
};

/**
 * A ticket and its answer. If its person took their consent back, or erased the ticket while the page was open, only
 * an answer that was being written stays: it can be copied, or sent once the consent is given again.
 */
function Thread({ answer, isNewest, isGone, coaches, ...thread }: ThreadProps) {
  const { ticket, birth, person, messages, older, version, assignee, consentTakenBackAt } = thread;
  const { uid, ticketForm } = answer;
  const isOpen = !isGone && consentTakenBackAt === null;
  const t = useT("desk");
  return (
    <>
      <PageHeading title={isGone ? t("thread.goneTitle") : ticket.title} isSubject />
      {isGone && !ticketForm.reply?.lost && (
        <Notice tone="warning" live>
          {t("thread.goneText")}
        </Notice>
      )}
      {!isGone && consentTakenBackAt !== null && (
        <Notice tone="warning">{t("thread.consentText", { date: consentTakenBackAt })}</Notice>
      )}
      {isOpen && (
        <Cluster>
          <Tag>{t(`types.${ticket.type}`)}</Tag>
          {ticket.category && <Tag>{ticket.category}</Tag>}
          <DeskStatus status={ticket.status} />
        </Cluster>
      )}
      {isOpen && <Birth text={birth} />}
      <div className={isOpen ? "split" : undefined}>
        <div className="stack stack--l">
          {isOpen && <Conversation uid={uid} messages={messages} older={older} />}
          {isOpen && !isNewest && (
            <p>
              <ButtonLink href={paths.deskTicket(uid)}>{t("thread.newest")}</ButtonLink>
            </p>
          )}
          <Answer {...answer} version={version} isClosed={!isOpen} isGone={isGone} />
        </div>
        {isOpen && (
          <div className="stack stack--l">
            <PersonPanel {...person} />
            <ManagePanel
              key={uid}
              assignee={assignee}
              coaches={coaches}
              status={ticket.status}
              ticketForm={ticketForm}
            />
          </div>
        )}
      </div>
    </>
  );
}

/** Replaces a thread that cannot be read. A refused answer stays and can be sent again. */
function UnreadThread({ unread, answer }: { unread: string | false; answer: AnswerProps }) {
  const { reply, form } = answer.ticketForm;
  const isGone = reply?.lost === "gone";
  const t = useT("desk");
  const ui = useT("ui");
  const retry = reply && <RestoreButton form={form.id}>{ui("unread.again")}</RestoreButton>;
  return (
    <>
      <PageHeading title={t(isGone ? "thread.goneTitle" : "thread.unread")} />
      {!isGone && <Unread text={unread || t("thread.unreadText")} retry={retry} />}
      {reply && <Answer {...answer} isClosed={false} isGone={isGone} />}
    </>
  );
}
