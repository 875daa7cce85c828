import { useFetchers, useNavigation } from "@remix-run/react";
import { useState } from "react";
import { useT } from "~/i18n/use-t";
import type { FlashMessage } from "~/session/data";
import { formatDate, formatWait } from "~/ui/format";
import { Notice, type Tone } from "~/ui/notice";
import { Snackbar } from "~/ui/snackbar";

const tones: Record<FlashMessage["type"], Tone> = {
  default: "info",
  error: "error",
  info: "info",
  success: "success",
  warning: "warning",
};

type FlashProps = {
  messages: FlashMessage[];
  /** E-mail of the signed-in person. Null when nobody is signed in. */
  email: string | null;
};

/** Messages that name the signed-in person. */
const NAMING: readonly FlashMessage["key"][] = ["otherAccount", "signedInSince"];

/** The message of the last post: it stays in the page, the snackbar only repeats it. */
export function Flash({ messages, email }: FlashProps) {
  const t = useT("site");
  const isOutdated = useOutdated(messages);
  if (isOutdated) return null;
  const shown = messages.filter(({ key }) => email !== null || !NAMING.includes(key));
  return shown.map(({ type, key, retryAfter, until }) => {
    const text = t(`flash.${key}`, {
      ...(retryAfter && { wait: formatWait(retryAfter) }),
      ...(until && { until: formatDate(until) }),
      ...(email && { email }),
    });
    return (
      <div key={key}>
        <div className="container flash">
          <Notice tone={tones[type]}>{text}</Notice>
        </div>
        <Snackbar type={type} text={text} />
      </div>
    );
  });
}

/**
 * Whether a later post of the same page has been answered, or found no network. A success above a
 * refusal would say that the refused form was accepted.
 */
function useOutdated(messages: FlashMessage[]): boolean {
  const { state } = useNavigation();
  const fetchers = useFetchers();
  const isPosting =
    state === "submitting" ||
    fetchers.some((fetcher) => fetcher.state === "submitting" && !isReadMark(fetcher.formData));
  const [postedAfter, setPostedAfter] = useState<FlashMessage[] | null>(null);
  if (isPosting && postedAfter !== messages) setPostedAfter(messages);
  return !isPosting && postedAfter === messages;
}

/** Marking messages as read: the page posts it by itself, without a press. */
const isReadMark = (form: FormData | undefined) => form?.get("intent") === "read";
