import { AccountFields } from "~/forms/account-fields";
import { HoneypotField } from "~/forms/honeypot-field";
import { OfferFields, type OfferValues } from "~/forms/offer-fields";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";

type Fields = { email: string; password: string; terms: string };
type ReplyProps = { reply: FormReply | undefined; offer: OfferValues | undefined };

/** The registration form. The idempotency key makes a double click create one account. */
export function RegistrationForm({
  reply,
  offer,
  idempotencyKey,
}: ReplyProps & { idempotencyKey: string }) {
  const { form, fields, control } = useReply<Fields>("registration", reply);
  const t = useT("registration");
  return (
    <PostForm form={form}>
      <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
      {offer && <OfferFields {...offer} />}
      <AccountFields fields={fields} control={control} created={reply?.created} />
      <HoneypotField />
      <p className="soft small">{t("notice")}</p>
      <SendButton look="primary" block>
        {t("submit")}
      </SendButton>
      <p>
        {t("known")} <a href={paths.login()}>{t("login")}</a>
      </p>
    </PostForm>
  );
}

/** The form of an account that has not paid yet. It leads on to the payment. */
export function SignedInForm({ email, reply, offer }: ReplyProps & { email: string }) {
  const { form } = useReply<Record<string, string>>("payment", reply);
  const t = useT("registration");
  return (
    <PostForm form={form}>
      {offer && <OfferFields {...offer} />}
      <p>{t("member.text", { email })}</p>
      <SendButton look="primary" block name="intent" value="pay">
        {t("member.submit")}
      </SendButton>
    </PostForm>
  );
}

type RestartProps = Pick<ReplyProps, "reply"> & { email: string; date: string };

/**
 * The form after a subscription has ended. A new start needs the old account deleted first.
 */
export function RestartForm({ email, date, reply }: RestartProps) {
  const { form } = useReply<Record<string, string>>("restart", reply);
  const t = useT("registration");
  return (
    <PostForm form={form}>
      <p>{t("left.ended", { email, date })}</p>
      <p>{t("left.again")}</p>
      <SendButton look="primary" block name="intent" value="restart">
        {t("left.submit")}
      </SendButton>
    </PostForm>
  );
}
