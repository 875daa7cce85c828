import { useState } from "react";
import { NAME_LENGTH } from "~/contract/limits";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { PostForm, SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { Dialog } from "~/ui/dialog";
import { TextInput } from "~/ui/text-input";

/** A dialog where there is script; without, a section above the form. */
export function NameDialog({ reply }: { reply: FormReply | undefined }) {
  const { form, fields, control } = useReply<{ name: string }>("coaching-name", reply);
  const [open, setOpen] = useState(true);
  const t = useT("coaching");
  return (
    <Dialog id="name-dialog" title={t("name.title")} open={open} onClose={() => setOpen(false)}>
      <PostForm form={form}>
        <p>{t("name.text")}</p>
        <TextInput
          {...control(fields.name)}
          label={t("name.label")}
          autoComplete="nickname"
          maxLength={NAME_LENGTH.max}
          required
        />
        <div className="dialog__actions">
          <SendButton look="primary" name="intent" value="name">
            {t("name.submit")}
          </SendButton>
        </div>
      </PostForm>
    </Dialog>
  );
}
