import { Form } from "@remix-run/react";
import { FormErrors } from "~/forms/form-errors";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import { LOGIN_WAITING_MINUTES } from "~/contract/limits";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { PasswordInput } from "~/ui/password-input";
import { TextInput } from "~/ui/text-input";

type ReturnProps = { returnTo: string | null };
type LoginFormProps = ReturnProps & { reply: FormReply | undefined };

export function LoginForm({ reply, returnTo }: LoginFormProps) {
  const { form, fields, control } = useReply<{ email: string; password: string }>("login", reply);
  const sending = useSending();
  const t = useT("login");
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
        {...control(fields.email)}
        label={t("email")}
        type="email"
        autoComplete="username"
        required
      />
      <PasswordInput
        {...control(fields.password)}
        label={t("password")}
        autoComplete="current-password"
        required
      />
      <Button look="primary" block aria-disabled={sending.busy}>
        {t("submit")}
      </Button>
      <p>
        <a href={paths.resetPassword()}>{t("forgotten")}</a>
      </p>
      <p>
        {t("new")} <a href={registrationFor(returnTo)}>{t("register")}</a>
      </p>
    </Form>
  );
}

/** Signed in, but this page is not open to them: not yet, or not without a subscription. */
export function SignedIn({ waits, ...person }: ReturnProps & { email: string; waits: boolean }) {
  return waits ? <Waiting /> : <NoSubscription {...person} />;
}

function Waiting() {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("waiting.heading")} />
      <Notice tone="info" live>
        {t("waiting.text", { count: LOGIN_WAITING_MINUTES })}
      </Notice>
    </>
  );
}

/** A signed-in reader without the role learns why, and the way on. */
function NoSubscription({ email, returnTo }: ReturnProps & { email: string }) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("why.heading")} />
      <Notice tone="info">{t("why.text", { email })}</Notice>
      <p className="cluster">
        <ButtonLink look="primary" href={registrationFor(returnTo)}>
          {t("why.subscribe")}
        </ButtonLink>
        <ButtonLink look="quiet" href={paths.logout()}>
          {t("why.other")}
        </ButtonLink>
      </p>
      <p>
        <a href={paths.accountData()}>{t("why.data")}</a>
      </p>
    </>
  );
}

const registrationFor = (returnTo: string | null) =>
  paths.registration(returnTo ? { returnTo } : {});
