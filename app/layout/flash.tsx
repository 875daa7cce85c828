import { useFetchers, useNavigation } from "@remix-run/react";
import { useState } from "react";
import type { FlashMessage } from "~/session/data";
import { Notice, type Tone } from "~/ui/notice";
import { Snackbar } from "~/ui/snackbar";

const tones: Record<FlashMessage["type"], Tone> = {
  default: "info",
  error: "error",
  info: "info",
  success: "success",
  warning: "warning",
};

export type ShownMessage = Pick<FlashMessage, "type" | "key"> & { text: string };

/** The message of the last post: it stays in the page, the snackbar only repeats it. */
export function Flash({ messages }: { messages: ShownMessage[] }) {
  const isOutdated = useOutdated(messages);
  if (isOutdated) return null;
  return messages.map(({ type, key, text }) => (
    <div key={key}>
      <div className="container flash">
        <Notice tone={tones[type]}>{text}</Notice>
      </div>
      <Snackbar type={type} text={text} />
    </div>
  ));
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
