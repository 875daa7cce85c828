import { CARRIED_FIELD } from "~/forms/carried";
import { EmailField } from "~/forms/email-field";
import { PostForm, SendButton } from "~/forms/post-form";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { PasswordInput } from "~/ui/password-input";
import type { LoginReply } from "./form";

type SignInProps = {
  reply: LoginReply | undefined;
  returnTo: string | null;
  leadsTo: LeadsTo;
};

/** The page to return to: the result of a payment, a payment, or any other page. */
export type LeadsTo = "result" | "payment" | "page";

const REASONS = { result: "result", payment: "payment", page: "needed" } as const;

export function SignIn(props: SignInProps) {
  const t = useT("login");
  return (
    <>
      <PageHeading title={t("heading")} />
      <Reason {...props} />
      <LoginForm {...props} />
    </>
  );
}

/** Explains why the login page is shown instead of the requested page. */
function Reason({ reply, returnTo, leadsTo }: SignInProps) {
  const t = useT("login");
  if (reply?.carried) return <Notice tone="info">{t("carried.kept")}</Notice>;
  if (reply?.carried === null) return <Notice tone="warning">{t("carried.lost")}</Notice>;
  return returnTo && <Notice tone="info">{t(REASONS[leadsTo])}</Notice>;
}

/** With a carried form the answer must be a document: the form's page loads a document too. */
function LoginForm({ reply, returnTo }: SignInProps) {
  const { form, fields, control } = useReply<{ email: string; password: string }>("login", reply);
  const t = useT("login");
  return (
    <PostForm
      form={form}
      action={paths.login(returnTo ?? undefined)}
      reloadDocument={Boolean(reply?.carried)}
    >
      {reply?.carried && <input type="hidden" name={CARRIED_FIELD} value={reply.carried} />}
      <EmailField {...control(fields.email)} label={t("email")} autoComplete="username" />
      <PasswordInput
        {...control(fields.password)}
        label={t("password")}
        autoComplete="current-password"
        required
      />
      <SendButton look="primary" block>
        {t("submit")}
      </SendButton>
      <p>
        <a className="lone" href={paths.resetPassword()}>
          {t("forgotten")}
        </a>
      </p>
      <p>
        {t("new")} <a href={paths.registration(returnTo ? { returnTo } : {})}>{t("register")}</a>
      </p>
    </PostForm>
  );
}
