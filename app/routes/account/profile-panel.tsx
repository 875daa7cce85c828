import { Form } from "@remix-run/react";
import { NAME_LENGTH } from "~/contract/limits";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";
import { TextInput } from "~/ui/text-input";

type ProfileProps = { email: string; name: string | null; reply: FormReply | undefined };

export function ProfilePanel({ email, name, reply }: ProfileProps) {
  const t = useT("account");
  return (
    <Panel title={t("profile")} id="profile">
      <DefinitionList
        items={[
          { term: t("email"), value: <span className="notranslate">{email}</span> },
          { term: t("coachingName"), value: name ?? t("noName") },
        ]}
      />
      <NameForm name={name} reply={reply} />
    </Panel>
  );
}

function NameForm({ name, reply }: Omit<ProfileProps, "email">) {
  const { form, fields, control } = useReply<{ name: string }>("profile-form", reply, {
    name: name ?? "",
  });
  const sending = useSending();
  const t = useT("account");
  return (
    <Form
      method="post"
      className="form"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={sending.guard(form.onSubmit)}
    >
      <FormErrors form={form} />
      <TextInput
        {...control(fields.name)}
        label={t("name.label")}
        hint={t("name.hint")}
        autoComplete="nickname"
        maxLength={NAME_LENGTH.max}
        required
      />
      <Button name="intent" value="name" aria-disabled={sending.busy}>
        {t("name.submit")}
      </Button>
    </Form>
  );
}
