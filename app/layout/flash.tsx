import { useFetchers, useNavigation, useRouteLoaderData } from "@remix-run/react";
import { useState } from "react";
import type { FlashMessage } from "~/session/data";
import { Notice, type Tone } from "~/ui/notice";

const tones: Record<FlashMessage["type"], Tone> = {
  default: "info",
  error: "error",
  info: "info",
  success: "success",
  warning: "warning",
};

export type ShownMessage = Pick<FlashMessage, "type" | "key"> & { text: string };

type FlashProps = {
  messages: ShownMessage[];
  /** Messages that the page shows in their own place. */
  except: readonly ShownMessage["key"][];
};

/** The message of the last post. It stays in the page, and is read out. */
export function Flash({ messages, except }: FlashProps) {
  const isOutdated = useOutdated(messages);
  if (isOutdated) return null;
  return messages
    .filter(({ key }) => !except.includes(key))
    .map((message) => (
      <div key={message.key} className="container flash">
        <MessageNotice {...message} />
      </div>
    ));
}

/** The messages of the last post that the page declares as its own. */
export function useOwnMessages(keys: readonly ShownMessage["key"][]): ShownMessage[] {
  const { flash = NO_MESSAGES } = useRouteLoaderData<{ flash: ShownMessage[] }>("root") ?? {};
  const isOutdated = useOutdated(flash);
  return isOutdated ? NO_MESSAGES : flash.filter(({ key }) => keys.includes(key));
}

const NO_MESSAGES: ShownMessage[] = [];

/** Messages in a place of the page. */
export function OwnMessages({ messages, id }: { messages: ShownMessage[]; id?: string }) {
  if (messages.length === 0) return null;
  return (
    <div id={id}>
      {messages.map((message) => (
        <MessageNotice {...message} key={message.key} />
      ))}
    </div>
  );
}

function MessageNotice({ type, text }: ShownMessage) {
  return (
    <Notice tone={tones[type]} live>
      {text}
    </Notice>
  );
}

/**
 * Whether a later post of the same page has been answered, or found no network. A success above a
 * refusal would say that the refused form was accepted.
 */
function useOutdated(messages: ShownMessage[]): boolean {
  const { state } = useNavigation();
  const fetchers = useFetchers();
  const isPosting =
    state === "submitting" ||
    fetchers.some((fetcher) => fetcher.state === "submitting" && !isReadMark(fetcher.formData));
  const [postedAfter, setPostedAfter] = useState<ShownMessage[] | null>(null);
  if (isPosting && postedAfter !== messages) setPostedAfter(messages);
  return !isPosting && postedAfter === messages;
}

/** Marking messages as read: the page posts it by itself, without a press. */
const isReadMark = (form: FormData | undefined) => form?.get("intent") === "read";
