import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { PostForm, SendButton } from "~/forms/post-form";
import { useT } from "~/i18n/use-t";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";

type Fields = { subject: string; message: string };
type DiscussionFormProps = { reply: FormReply | undefined; idempotencyKey: string };

export function DiscussionForm({ reply, idempotencyKey }: DiscussionFormProps) {
  const { form, fields, control } = useReply<Fields>("discussion", reply);
  const t = useT("coaching");
  return (
    <PostForm form={form}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      <WriteFields kind={kinds.coaching} fields={fields} control={control} />
      <div>
        <SendButton look="primary">{t("new.submit")}</SendButton>
      </div>
    </PostForm>
  );
}
