import { useRef, useState } from "react";
import type { FormReply } from "~/forms/refuse.server";
import { useT } from "~/i18n/use-t";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Message } from "~/ui/message";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import type { SupportKind } from "./kinds";
import { MessageText } from "./message-text";
import { Older } from "./older";
import { Reply } from "./reply";
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
  const support = useT("support");
  const { messages, prepend, append } = useMessages(thread.messages);
  const [sending, setSending] = useState<string | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const last = messages.at(-1)?.uid;
  useLive({ page: here, events: kind.events(ticket.uid, own), since: last, onMessages: append });
  useReadMark(here, isNewest && messages.at(-1)?.mine === false, last);
  return (
    <div className="container page page--narrow stack stack--l">
      <p>
        <a href={kind.list(own)}>{t("thread.back")}</a>
      </p>
      <PageHeading title={ticket.title} />
      <p className="cluster">
        {ticket.category && <Tag>{ticket.category}</Tag>}
        <Tag {...(ticket.status === "active" && { tone: "success" })}>
          {support(`status.${ticket.status}`)}
        </Tag>
      </p>
      <Older
        first={older}
        list={list}
        hrefOf={(cursor) => kind.thread(ticket.uid, { ...own, cursor })}
        onMessages={prepend}
        label={t("thread.older")}
      />
      <div role="log" aria-label={t("thread.messages")}>
        <ol ref={list} className="thread">
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
          {sending !== null && <Sending text={sending} author={t("thread.you")} />}
        </ol>
      </div>
      {!isNewest && (
        <p>
          <ButtonLink href={here}>{t("thread.newest")}</ButtonLink>
        </p>
      )}
      {ticket.status === "active" ? (
        <Reply
          {...{ kind, reply, idempotencyKey }}
          uid={ticket.uid}
          action={here}
          onSending={setSending}
          onSent={(message) => append([message])}
        />
      ) : (
        <Notice tone="info">{t(`thread.${ticket.status}`)}</Notice>
      )}
    </div>
  );
}

/** On its way: it settles under its own uid. */
function Sending({ text, author }: { text: string; author: string }) {
  const t = useT("support");
  return (
    <Message
      mine
      author={author}
      date={new Date().toISOString()}
      state={<span className="soft">{t("sending")}</span>}
    >
      {text}
    </Message>
  );
}
