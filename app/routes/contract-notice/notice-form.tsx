import { EmailField } from "~/forms/email-field";
import { HoneypotField } from "~/forms/honeypot-field";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { DataNotice } from "~/ui/data-notice";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { TextInput } from "~/ui/text-input";
import { useFieldWords } from "./field-words";
import { kinds, type KindName } from "./kinds";

type NoticeFormProps = {
  kind: KindName;
  given: Partial<Names>;
  reply?: FormReply | undefined;
  /** A notice was sent from here, and its receipt is not kept any more. */
  isPast?: boolean;
};
type Names = Record<"name" | "email" | "reference" | "date", string>;

/** Without `autocomplete="off"`: browsers restore such a field neither after Back nor after a crash. */
const attributes = {
  name: { autoComplete: "name", maxLength: 100, required: true, "data-faults": "signature_" },
  email: {},
  reference: { maxLength: 100 },
  date: { type: "date", "data-check": "wishedDay" },
} as const;

/** Its recap is a page of its own in the history, so that Back leads from there to this form. */
export function NoticeForm({ kind, given, reply, isPast = false }: NoticeFormProps) {
  const { form, fields, control } = useReply<Names>("notice", reply, given);
  const t = useT(kind);
  const tCancellation = useT("cancellation");
  const words = useFieldWords(kind);
  return (
    <>
      <PageHeading title={t("heading")} lead={t("lead")} />
      {isPast && <Notice tone="info">{tCancellation("receipt.past")}</Notice>}
      <PostForm
        form={form}
        action={kinds[kind].path}
        unanswered="unanswered.check"
        replace={false}
        draft={kind}
      >
        {kinds[kind].fields.map((name) => {
          const Input = name === "email" ? EmailField : TextInput;
          return (
            <Input
              key={name}
              {...control(fields[name])}
              {...attributes[name]}
              label={words(name, "label")}
              hint={words(name, "hint")}
            />
          );
        })}
        <HoneypotField />
        <DataNotice short={t("dataNotice.short")} full={t("dataNotice.full")} />
        <SendButton look="primary" name="intent" value="recap">
          {t("next")}
        </SendButton>
      </PostForm>
    </>
  );
}
