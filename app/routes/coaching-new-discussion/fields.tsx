import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { kinds } from "~/support/kinds";
import { WriteFields } from "~/support/write-fields";
import { NameDialog } from "./name-dialog";

type Fields = Record<"name" | "subject" | "message", string>;
type DiscussionFormProps = {
  hasName: boolean;
  reply: FormReply | undefined;
  idempotencyKey: string;
};

export function DiscussionForm({ hasName, reply, idempotencyKey }: DiscussionFormProps) {
  const { form, fields, control } = useReply<Fields>("discussion", reply);
  const t = useT("coaching");
  return (
    <PostForm form={form}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {!hasName && (
        <NameDialog field={fields.name} control={control} failed={Boolean(form.allErrors[""])} />
      )}
      <WriteFields kind={kinds.coaching} fields={fields} control={control} />
      <div>
        <SendButton look="primary">{t("new.submit")}</SendButton>
      </div>
    </PostForm>
  );
}
