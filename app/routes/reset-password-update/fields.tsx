import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import { NewPasswordFields } from "~/forms/new-password-fields";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";

type Fields = { password: string; passwordConfirmation: string; token: string };
type UpdateFormProps = { token: string; reply: FormReply | undefined };

export function UpdateForm({ token, reply }: UpdateFormProps) {
  const { form, fields, control } = useReply<Fields>("reset", reply);
  const sending = useSending();
  const t = useT("reset");
  return (
    <Form
      method="post"
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={sending.guard(form.onSubmit)}
    >
      <FormErrors form={form} />
      <input type="hidden" name="token" value={token} />
      <NewPasswordFields fields={fields} control={control} />
      <Button look="primary" block aria-disabled={sending.busy}>
        {t("update.submit")}
      </Button>
    </Form>
  );
}

/** A link that was used, has run out or was cut by a mail program. */
export function WornOut() {
  const t = useT("reset");
  return (
    <>
      <Notice tone="warning" title={t("wornOut.title")} live>
        <p>{t("wornOut.text")}</p>
      </Notice>
      <p>
        <ButtonLink look="primary" href={paths.resetPassword()}>
          {t("wornOut.again")}
        </ButtonLink>
      </p>
    </>
  );
}
