import { useRef } from "react";
import type { ReadResult } from "~/api/read-result";
import { LATEST_MESSAGE } from "~/contract/latest-message";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { MessageText } from "~/support/message-text";
import { NewMessageLink } from "~/support/new-message-link";
import { OlderMessages } from "~/support/older-messages";
import { TrimmedText } from "~/support/trimmed-text";
import { useMessages } from "~/support/use-messages";
import type { ThreadPart } from "~/support/use-older-messages";
import { Tag } from "~/ui/chips";
import { Message } from "~/ui/message";
import type { DeskMessageWords } from "./words.server";

type ConversationProps = ThreadPart<DeskMessageWords> & { uid: string };

export function Conversation({ uid, messages: loaded, older }: ConversationProps) {
  const { messages, prepend } = useMessages(loaded);
  const list = useRef<HTMLOListElement>(null);
  const t = useT("desk");
  return (
    <>
      <OlderMessages
        first={older}
        list={list}
        hrefOf={(cursor) => paths.deskTicket(uid, { cursor })}
        partOf={partOf}
        onMessages={prepend}
        label={t("thread.older")}
        unread={t("thread.unread")}
      />
      <div role="log" aria-label={t("thread.messages")}>
        <ol ref={list} className="thread" tabIndex={-1}>
          {messages.map(({ uid: id, parts, trimmed, internal, ...message }, index) => (
            <Message
              key={id}
              id={id}
              {...message}
              anchor={index === messages.length - 1 ? LATEST_MESSAGE : undefined}
              internal={internal}
              below={<TrimmedText {...trimmed} />}
              state={internal && <Tag tone="warning">{t("thread.internal")}</Tag>}
            >
              <MessageText parts={parts} />
            </Message>
          ))}
        </ol>
      </div>
      <NewMessageLink list={list} last={messages.at(-1)} />
    </>
  );
}

const partOf = ({ thread }: { thread: ReadResult<ThreadPart<DeskMessageWords>> }) =>
  thread.kind === "found" ? thread.value : null;
