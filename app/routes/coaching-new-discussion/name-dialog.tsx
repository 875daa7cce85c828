import { Form } from "@remix-run/react";
import { useState } from "react";
import { NAME_LENGTH } from "~/contract/limits";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { Dialog } from "~/ui/dialog";
import { TextInput } from "~/ui/text-input";

/** A dialog where there is script; without, a section above the form. */
export function NameDialog({ reply }: { reply: FormReply | undefined }) {
  const { form, fields, control } = useReply<{ name: string }>("coaching-name", reply);
  const [open, setOpen] = useState(true);
  const sending = useSending();
  const t = useT("coaching");
  return (
    <Dialog id="name-dialog" title={t("name.title")} open={open} onClose={() => setOpen(false)}>
      <Form
        method="post"
        className="form"
        id={form.id}
        noValidate={form.noValidate}
        onSubmit={sending.guard(form.onSubmit)}
      >
        <FormErrors form={form} />
        <p>{t("name.text")}</p>
        <TextInput
          {...control(fields.name)}
          label={t("name.label")}
          autoComplete="nickname"
          maxLength={NAME_LENGTH.max}
          required
        />
        <div className="dialog__actions">
          <Button look="primary" name="intent" value="name" aria-disabled={sending.busy}>
            {t("name.submit")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
