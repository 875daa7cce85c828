import { Form } from "@remix-run/react";
import { AccountFields } from "~/forms/account-fields";
import { FormErrors } from "~/forms/form-errors";
import { HoneypotField } from "~/forms/honeypot-field";
import type { FormReply } from "~/forms/refuse.server";
import { useReply } from "~/forms/use-reply";
import { useSending } from "~/forms/use-sending";
import type { Offer } from "~/i18n/offer.server";
import { useT } from "~/i18n/use-t";
import { Button } from "~/ui/button";
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
type CardPaymentProps = PaymentProps & { member: string | null; idempotencyKey: string };

/** Formula and card on one page; the figures stand right beside the order button. */
export function CardPayment({ member, offer, reply, idempotencyKey }: CardPaymentProps) {
  const { form, fields, control } = useReply<Fields>("payment", reply);
  const parts = { fields, control };
  const sending = useSending();
  const t = useT("card");
  return (
    <Form
      method="post"
      className="split"
      id={form.id}
      noValidate={form.noValidate}
      onSubmit={sending.guard(form.onSubmit)}
    >
      <div className="form">
        <FormErrors form={form} />
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
      <PriceBox {...offer} title={t("offer")} trust={t("trust")}>
        <Button look="primary" block name="intent" value="pay" aria-disabled={sending.busy}>
          {t("order")}
        </Button>
      </PriceBox>
    </Form>
  );
}

/** Where the bank's page takes the card. */
export function LinkPayment({ offer, reply }: PaymentProps) {
  const { form } = useReply<Record<string, string>>("payment", reply);
  const sending = useSending();
  const t = useT("card");
  return (
    <Form method="post" id={form.id} onSubmit={sending.guard()}>
      <FormErrors form={form} />
      <PriceBox {...offer} title={t("offer")} trust={t("trustLink")}>
        <Button look="primary" block name="intent" value="link" aria-disabled={sending.busy}>
          {t("link")}
        </Button>
      </PriceBox>
    </Form>
  );
}
