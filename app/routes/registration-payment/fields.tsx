import { AccountFields } from "~/forms/account-fields";
import { RESTORE_FIELD } from "~/forms/carried";
import { HoneypotField } from "~/forms/honeypot-field";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import type { Offer } from "~/i18n/offer.server";
import { useT } from "~/i18n/use-t";
import { FieldGroup } from "~/ui/field-group";
import { PriceBox } from "~/ui/price-box";
import { CardFields, NameFields } from "./card-fields";

export type Fields = Record<
  | "email"
  | "password"
  | "terms"
  | "firstName"
  | "lastName"
  | "cardNumber"
  | "expiry"
  | "cvv"
  | "cardholder",
  string
>;

type PaymentProps = { offer: Offer; reply: FormReply | undefined };
type CardPaymentProps = Omit<PaymentProps, "offer"> & {
  /** Null when it could not be read: what was typed stays, and nothing can be ordered. */
  offer: Offer | null;
  member: string | null;
  idempotencyKey: string;
};

/** Formula and card on one page; the figures stand right beside the order button. */
export function CardPayment({ member, offer, reply, idempotencyKey }: CardPaymentProps) {
  const { form, fields, control } = useReply<Fields>("payment", reply);
  const parts = { fields, control };
  const t = useT("card");
  return (
    <PostForm form={form}>
      <div className="split">
        <div className="form">
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          {member ? (
            <p>{t("member", { email: member })}</p>
          ) : (
            <FieldGroup legend={t("account")}>
              <AccountFields {...parts} />
            </FieldGroup>
          )}
          <FieldGroup legend={t("you")}>
            <NameFields {...parts} />
          </FieldGroup>
          <FieldGroup legend={t("card")}>
            <CardFields {...parts} />
          </FieldGroup>
          <HoneypotField />
        </div>
        {offer ? (
          <PriceBox {...offer} title={t("offer")} trust={t("trust")}>
            <SendButton look="primary" block name="intent" value="pay">
              {t("order")}
            </SendButton>
          </PriceBox>
        ) : (
          <SendButton name={RESTORE_FIELD} value="1" formNoValidate>
            {t("showOffer")}
          </SendButton>
        )}
      </div>
    </PostForm>
  );
}

/** Where the bank's page takes the card. */
export function LinkPayment({ offer, reply }: PaymentProps) {
  const { form } = useReply<Record<string, string>>("payment", reply);
  const t = useT("card");
  return (
    <PostForm form={form}>
      <PriceBox {...offer} title={t("offer")} trust={t("trustLink")}>
        <SendButton look="primary" block name="intent" value="link">
          {t("link")}
        </SendButton>
      </PriceBox>
    </PostForm>
  );
}
