import { Form } from "@remix-run/react";
import { NAME_LENGTH } from "~/contract/limits";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Tag } from "~/ui/chips";
import { DefinitionList } from "~/ui/definition-list";
import { Panel } from "~/ui/panel";
import { TextInput } from "~/ui/text-input";
import type { SubscriptionWords } from "~/i18n/subscription-words.server";

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

type SubscriptionProps = {
  subscription: SubscriptionWords | null;
  statement: { name: string; url: string } | null;
};

export function SubscriptionPanel({ subscription, statement }: SubscriptionProps) {
  const t = useT("account");
  if (!subscription) {
    return (
      <Panel title={t("subscription")} id="subscription">
        <p>{t("noSubscription")}</p>
      </Panel>
    );
  }
  const { state, formula, price, since, next, until, ended, credits } = subscription;
  return (
    <Panel
      title={t("subscription")}
      id="subscription"
      aside={<Tag tone={state === "active" ? "success" : "warning"}>{t(`state.${state}`)}</Tag>}
    >
      <DefinitionList
        items={[
          { term: t("formula"), value: formula },
          { term: t("price"), value: price },
          { term: t("since"), value: since },
          { term: t("next"), value: next },
          { term: t("until"), value: until },
          { term: t("ended"), value: ended },
          { term: t("credits"), value: credits },
          { term: t("statement"), value: statement && <Statement {...statement} /> },
        ]}
      />
      <p>
        <ButtonLink href={paths.accountSubscription()}>{t("manage")}</ButtonLink>
      </p>
    </Panel>
  );
}

/** Who appears on the bank statement. */
function Statement({ name, url }: { name: string; url: string }) {
  return (
    <a href={url} className="notranslate" rel="noreferrer">
      {name}
    </a>
  );
}
