import { useT } from "~/i18n/use-t";
import { MessageText } from "~/support/message-text";
import { ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { Message } from "~/ui/message";
import type { DeskMessageWords } from "./words.server";

type ConversationProps = { messages: DeskMessageWords[]; older: string | null };

export function Conversation({ messages, older }: ConversationProps) {
  const t = useT("desk");
  return (
    <>
      {older && (
        <p>
          <ButtonLink small href={older}>
            {t("thread.older")}
          </ButtonLink>
        </p>
      )}
      <div role="log" aria-label={t("thread.messages")}>
        <ol className="thread">
          {messages.map(({ uid, parts, internal, ...message }) => (
            <Message
              key={uid}
              id={uid}
              {...message}
              internal={internal}
              state={internal && <Tag tone="warning">{t("thread.internal")}</Tag>}
            >
              <MessageText parts={parts} />
            </Message>
          ))}
        </ol>
      </div>
    </>
  );
}
