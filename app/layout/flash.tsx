import { useT } from "~/i18n/use-t";
import type { FlashMessage } from "~/session/data";
import { formatWait } from "~/ui/format";
import { Notice, type Tone } from "~/ui/notice";
import { Snackbar } from "~/ui/snackbar";

const tones: Record<FlashMessage["type"], Tone> = {
  default: "info",
  error: "error",
  info: "info",
  success: "success",
  warning: "warning",
};

/** The messages of the last post. They stay in the page, the snackbar only repeats them. */
export function Flash({ messages }: { messages: FlashMessage[] }) {
  const t = useT("site");
  return messages.map(({ type, key, retryAfter }) => {
    const text = t(`flash.${key}`, retryAfter ? { wait: formatWait(retryAfter) } : {});
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
