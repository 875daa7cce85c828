import { NewPasswordFields } from "~/forms/new-password-fields";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";

type Fields = { password: string; passwordConfirmation: string; token: string };
type UpdateFormProps = { token: string; reply: FormReply | undefined };

export function UpdateForm({ token, reply }: UpdateFormProps) {
  const { form, fields, control } = useReply<Fields>("reset", reply);
  const t = useT("reset");
  return (
    <PostForm form={form}>
      <input type="hidden" name="token" value={token} />
      <NewPasswordFields fields={fields} control={control} />
      <SendButton look="primary" block>
        {t("update.submit")}
      </SendButton>
    </PostForm>
  );
}

/** Shown for a link that was used, has expired or was cut by a mail program. */
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
