import { useState, type MouseEvent } from "react";
import { NAME_LENGTH } from "~/contract/limits";
import { SendButton } from "~/forms/post-form";
import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { TextInput } from "~/ui/text-input";

type NameDialogProps = {
  field: Field;
  control: Control;
  /** The form under the dialog shows an error, so the dialog stays closed. */
  failed: boolean;
};

/** Asks for the name. With script it is a dialog, without script the first field of the form. */
export function NameDialog({ field, control, failed }: NameDialogProps) {
  const [open, setOpen] = useState(true);
  const t = useT("coaching");
  const close = () => setOpen(false);
  const closeWithScript = (event: MouseEvent) => {
    event.preventDefault();
    close();
  };
  return (
    <Dialog id="name-dialog" title={t("name.title")} open={open && !failed} isField onClose={close}>
      <div className="form">
        <TextInput
          {...control(field)}
          // A closed dialog sends nothing: nobody could reach the error of its field.
          disabled={!open}
          label={t("name.label")}
          hint={t("name.text")}
          autoComplete="nickname"
          data-check="personName"
          maxLength={NAME_LENGTH.max}
        />
        <div className="dialog__actions">
          <SendButton look="primary" name="intent" value="name" formNoValidate>
            {t("name.submit")}
          </SendButton>
          <ButtonLink
            look="quiet"
            href={paths.coachingNewDiscussion({ later: "" })}
            onClick={closeWithScript}
          >
            {t("name.later")}
          </ButtonLink>
        </div>
      </div>
    </Dialog>
  );
}
