import { MESSAGE_LENGTH, SUBJECT_LENGTH } from "~/contract/limits";
import type { Control, Field } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { TextInput } from "~/ui/text-input";
import { MessageField } from "./message-field";
import type { SupportKind } from "./kinds";

type WriteFieldsProps = {
  kind: SupportKind;
  fields: Record<"subject" | "message", Field>;
  control: Control;
};

/** The fields of a new ticket or discussion. */
export function WriteFields({ kind, fields, control }: WriteFieldsProps) {
  const t = useT(kind.namespace);
  return (
    <>
      <TextInput
        {...control(fields.subject)}
        label={t("new.subject")}
        maxLength={SUBJECT_LENGTH}
        required
      />
      <MessageField
        {...control(fields.message)}
        label={t("new.message")}
        hint={t("new.messageHint")}
        rows={8}
        maxLength={MESSAGE_LENGTH}
      />
    </>
  );
}
