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

type FlashProps = {
  messages: FlashMessage[];
  /** Who is signed in; null for nobody, who is told of nobody. */
  email: string | null;
};

/** Name who is signed in. */
const NAMING: readonly FlashMessage["key"][] = ["otherAccount", "signedInSince"];

/** The message of the last post: it stays in the page, the snackbar only repeats it. */
export function Flash({ messages, email }: FlashProps) {
  const t = useT("site");
  const shown = messages.filter(({ key }) => email !== null || !NAMING.includes(key));
  return shown.map(({ type, key, retryAfter }) => {
    const text = t(`flash.${key}`, {
      ...(retryAfter && { wait: formatWait(retryAfter) }),
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
