import { useRef, useState, type ReactNode, type RefObject } from "react";
import type { ReadResult } from "~/api/read-result";
import { LATEST_MESSAGE } from "~/contract/latest-message";
import { OwnerField } from "~/forms/owner";
import type { FormReply } from "~/forms/refuse.server";
import { RestoreButton } from "~/forms/restore-button";
import type { FlashKey } from "~/i18n/flash";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Message } from "~/ui/message";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Unread } from "~/ui/unread";
import { Birth } from "./birth";
import type { SupportKind } from "./kinds";
import { MessageText } from "./message-text";
import type { MessageWords } from "./message-words.server";
import { NewMessageLink } from "./new-message-link";
import { OlderMessages } from "./older-messages";
import { Reply, REPLY } from "./reply";
import { ThreadHead } from "./thread-head";
import type { ThreadData } from "./thread.server";
import { TrimmedText } from "./trimmed-text";
import { useLastFound } from "./use-last-found";
import { useNewMessages } from "./use-new-messages";
import { useMessages } from "./use-messages";
import { useReadMark } from "./use-read-mark";

type PageProps = {
  kind: SupportKind;
  secret: string | null;
  uid: string;
  thread: ReadResult<ThreadData>;
  reply: FormReply | undefined;
  /** The message of a reply that was sent (`THREAD_MESSAGES`). */
  sent: ReactNode;
};

/** What a sent reply says stands below the messages, where the page opens. */
export const THREAD_MESSAGES: readonly FlashKey[] = ["messageSent"];

/** The page of a ticket or discussion. */
export function ThreadPage({ thread, ...page }: PageProps) {
  const shown = useLastFound(thread, page.uid);
  return shown.kind === "found" ? (
    <Thread {...page} thread={shown.value} isGone={thread.kind === "none"} />
  ) : (
    <UnreadThread {...page} />
  );
}

/** Replaces a thread that cannot be read. A reply that was being sent stays and can be sent again. */
function UnreadThread({ kind, secret, uid, reply, sent }: Omit<PageProps, "thread">) {
  const linkQuery = secret ? { t: secret } : {};
  const hasReply = reply && (reply.idempotencyKey || reply.lost);
  const t = useT(kind.namespace);
  const support = useT("support");
  const ui = useT("ui");
  const retry = hasReply && <RestoreButton form={REPLY}>{ui("unread.again")}</RestoreButton>;
  return (
    <div className="container page page--narrow stack stack--l">
      <p>
        <a className="lone" href={kind.list(linkQuery)}>
          {t("thread.back")}
        </a>
      </p>
      {sent}
      <PageHeading title={reply?.lost === "gone" ? support("gone.title") : t("thread.unread")} />
      {!reply?.lost && <Unread text={support("errors.ticket")} retry={retry || undefined} />}
      {reply?.lost === "worn" && (
        <p>
          <a className="lone" href={paths.contactLink({ worn: "1" })}>
            {support("lost.link")}
          </a>
        </p>
      )}
      {hasReply && (
        <Reply
          kind={kind}
          reply={reply}
          uid={uid}
          idempotencyKey={reply.idempotencyKey ?? ""}
          action={kind.thread(uid, linkQuery)}
          isUnread
          closed={reply.lost !== undefined}
          onSending={() => {}}
          onSent={() => {}}
        />
      )}
    </div>
  );
}

type ThreadProps = Omit<PageProps, "thread"> & { thread: ThreadData; isGone: boolean };

/**
 * Status on top, older messages above, the reply below. Of a thread that was erased while the page was open
 * only the reply stays: what was typed is nowhere else.
 */
function Thread({ kind, secret, thread, isGone, reply, sent }: ThreadProps) {
  const { ticket, idempotencyKey, hasNoConsent } = thread;
  const linkQuery = secret ? { t: secret } : {};
  const threadHref = kind.thread(ticket.uid, linkQuery);
  const { messages, prepend, append } = useMessages(thread.messages);
  const [sending, setSending] = useState<string | null>(null);
  const last = messages.at(-1)?.uid;
  useNewMessages({
    isActive: !isGone,
    page: threadHref,
    events: kind.events(ticket.uid, linkQuery),
    since: last,
    status: ticket.status,
    onMessages: append,
  });
  // An answer stays unread behind a reply by mail.
  const isUnread = ticket.unread || messages.at(-1)?.mine === false;
  useReadMark(threadHref, thread.isNewest && isUnread, last);
  return (
    <div className="container page page--narrow stack stack--l">
      {isGone ? (
        <GoneHead kind={kind} back={kind.list(linkQuery)} />
      ) : (
        <Conversation
          kind={kind}
          linkQuery={linkQuery}
          thread={thread}
          messages={messages}
          onOlder={prepend}
          sending={sending}
          sent={sent}
        />
      )}
      <Reply
        kind={kind}
        reply={reply}
        idempotencyKey={idempotencyKey}
        uid={ticket.uid}
        action={threadHref}
        closed={isGone || ticket.status !== "active"}
        asksConsent={hasNoConsent}
        until={thread.isNewest ? last : undefined}
        onSending={setSending}
        onSent={(message) => append([message])}
      />
    </div>
  );
}

type ConversationProps = {
  kind: SupportKind;
  linkQuery: { t?: string };
  thread: ThreadData;
  messages: readonly MessageWords[];
  onOlder: (older: readonly MessageWords[]) => void;
  sending: string | null;
  sent: ReactNode;
};

/** What stands above the reply: status, messages, and why the thread takes no reply. */
function Conversation({
  kind,
  linkQuery,
  thread,
  messages,
  onOlder,
  sending,
  sent,
}: ConversationProps) {
  const { ticket, birth, older, isNewest, hasNoConsent } = thread;
  const threadHref = kind.thread(ticket.uid, linkQuery);
  const t = useT(kind.namespace);
  const support = useT("support");
  const list = useRef<HTMLOListElement>(null);
  const last = messages.at(-1)?.uid;
  return (
    <>
      <ThreadHead kind={kind} ticket={ticket} back={kind.list(linkQuery)} />
      <Birth text={birth} />
      <OlderMessages
        first={older}
        list={list}
        hrefOf={(cursor) => kind.thread(ticket.uid, { ...linkQuery, cursor })}
        partOf={partOf}
        onMessages={onOlder}
        label={t("thread.older")}
        unread={support("errors.ticket")}
      />
      <Messages kind={kind} messages={messages} sending={sending} list={list} />
      {sent}
      <NewMessageLink list={list} last={messages.at(-1)} />
      {isNewest && ticket.unread && last && <MarkReadButton action={threadHref} until={last} />}
      {!isNewest && (
        <p>
          <ButtonLink href={threadHref}>{t("thread.newest")}</ButtonLink>
        </p>
      )}
      {ticket.status !== "active" && (
        <Notice tone="info" live>
          {hasNoConsent ? support("consentTakenBack") : t(`thread.${ticket.status}`)}
        </Notice>
      )}
    </>
  );
}

function GoneHead({ kind, back }: { kind: SupportKind; back: string }) {
  const t = useT(kind.namespace);
  const support = useT("support");
  return (
    <>
      <p>
        <a className="lone" href={back}>
          {t("thread.back")}
        </a>
      </p>
      <PageHeading title={support("gone.title")} />
      <Notice tone="warning" live>
        {support("gone.text")}
      </Notice>
    </>
  );
}

/** Null when the older messages could not be read: the shown ones stay. */
const partOf = ({ thread }: { thread: ReadResult<ThreadData> }) =>
  thread.kind === "found" ? thread.value : null;

type MessagesProps = {
  kind: SupportKind;
  messages: readonly MessageWords[];
  sending: string | null;
  list: RefObject<HTMLOListElement>;
};

function Messages({ kind, messages, sending, list }: MessagesProps) {
  const t = useT(kind.namespace);
  const support = useT("support");
  return (
    <div role="log" aria-label={t("thread.messages")}>
      <ol ref={list} className="thread" tabIndex={-1}>
        {messages.map(({ uid, date, author, mine, parts, trimmed }, index) => (
          <Message
            key={uid}
            id={uid}
            date={date}
            mine={mine}
            anchor={index === messages.length - 1 ? LATEST_MESSAGE : undefined}
            author={mine ? t("thread.you") : author}
            below={<TrimmedText {...trimmed} />}
          >
            <MessageText parts={parts} />
          </Message>
        ))}
        {sending !== null && (
          // Still being sent. Once stored, the message appears under its own uid.
          <Message
            mine
            author={t("thread.you")}
            date={new Date().toISOString()}
            state={<span className="soft">{support("sending")}</span>}
          >
            {sending}
          </Message>
        )}
      </ol>
    </div>
  );
}

/** Button that marks answers as read. Without script nothing else can. */
function MarkReadButton({ action, until }: { action: string; until: string }) {
  const t = useT("support");
  return (
    <noscript>
      <form method="post" action={action}>
        <OwnerField />
        <input type="hidden" name="until" value={until} />
        <Button name="intent" value="read" small>
          {t("markRead")}
        </Button>
      </form>
    </noscript>
  );
}
