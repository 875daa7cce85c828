import { useRef, useState, type RefObject } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { useT } from "~/i18n/use-t";
import { Button, ButtonLink } from "~/ui/button";
import { Message } from "~/ui/message";
import { Notice } from "~/ui/notice";
import type { SupportKind } from "./kinds";
import { MessageText } from "./message-text";
import type { MessageWords } from "./message-words.server";
import { Older } from "./older";
import { Reply } from "./reply";
import { ThreadHead } from "./thread-head";
import type { ThreadData } from "./thread.server";
import { useLive } from "./use-live";
import { useMessages } from "./use-messages";
import { useReadMark } from "./use-read-mark";

type ThreadProps = {
  kind: SupportKind;
  secret: string | null;
  thread: ThreadData;
  reply: FormReply | undefined;
};

/** One conversation, of either type: status on top, older messages above, the reply below. */
export function Thread({ kind, secret, thread, reply }: ThreadProps) {
  const { ticket, older, isNewest, idempotencyKey } = thread;
  const own = secret ? { t: secret } : {};
  const here = kind.thread(ticket.uid, own);
  const t = useT(kind.namespace);
  const { messages, prepend, append } = useMessages(thread.messages);
  const [sending, setSending] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const last = messages.at(-1)?.uid;
  useLive({ page: here, events: kind.events(ticket.uid, own), since: last, onMessages: append });
  useReadMark(here, isNewest && messages.at(-1)?.mine === false, last);
  return (
    <div className="container page page--narrow stack stack--l">
      <ThreadHead kind={kind} ticket={ticket} back={kind.list(own)} />
      <Older
        first={older}
        list={list}
        hrefOf={(cursor) => kind.thread(ticket.uid, { ...own, cursor })}
        partOf={partOf}
        onMessages={prepend}
        label={t("thread.older")}
      />
      <Messages kind={kind} messages={messages} sending={sending} list={list} />
      {isNewest && ticket.unread && last && <ReadByHand action={here} until={last} />}
      {!isNewest && (
        <p>
          <ButtonLink href={here}>{t("thread.newest")}</ButtonLink>
        </p>
      )}
      {ticket.status !== "active" && <Notice tone="info">{t(`thread.${ticket.status}`)}</Notice>}
      <Reply
        {...{ kind, reply, idempotencyKey }}
        uid={ticket.uid}
        action={here}
        closed={ticket.status !== "active"}
        onSending={setSending}
        onSent={(message) => append([message])}
      />
    </div>
  );
}

const partOf = (page: { thread: ThreadData }) => page.thread;

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
        {messages.map(({ uid, date, author, mine, parts }) => (
          <Message
            key={uid}
            id={uid}
            date={date}
            mine={mine}
            author={mine ? t("thread.you") : author}
          >
            <MessageText parts={parts} />
          </Message>
        ))}
        {sending !== null && (
          // On its way: it settles under its own uid.
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

/** Without script nothing sees that the answer is read: the person says so. */
function ReadByHand({ action, until }: { action: string; until: string }) {
  const t = useT("support");
  return (
    <noscript>
      <form method="post" action={action}>
        <input type="hidden" name="until" value={until} />
        <Button name="intent" value="read" small>
          {t("markRead")}
        </Button>
      </form>
    </noscript>
  );
}
