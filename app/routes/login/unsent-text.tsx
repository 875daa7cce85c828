import { RESTORE_FIELD } from "~/forms/carried";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button } from "~/ui/button";
import { TextArea } from "~/ui/text-area";
import type { UnsentTexts } from "./form";

type UnsentTextProps = { texts: UnsentTexts; isOfTeam: boolean };

/**
 * The text that could not be sent. It can be copied, or sent by the contact form. That form is open to everybody,
 * but coaches do not write by it.
 */
export function UnsentText({ texts: { subject, message }, isOfTeam }: UnsentTextProps) {
  const t = useT("login");
  return (
    <form method="post" action={paths.contactNewTicket()} className="form">
      <input type="hidden" name={RESTORE_FIELD} value="1" />
      <input type="hidden" name="subject" value={subject} />
      <TextArea
        id="unsent-message"
        name="message"
        label={t("unsent.label")}
        defaultValue={message}
        rows={8}
        dir="auto"
        readOnly
      />
      {!isOfTeam && (
        <div>
          <Button>{t("unsent.contact")}</Button>
        </div>
      )}
    </form>
  );
}
