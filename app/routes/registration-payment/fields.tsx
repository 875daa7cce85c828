import { useNavigation } from "@remix-run/react";
import { AccountFields } from "~/forms/account-fields";
import { HoneypotField } from "~/forms/honeypot-field";
import { OfferFields } from "~/forms/offer-fields";
import type { OfferOnPage } from "~/forms/offer.server";
import { OrderTerms } from "~/forms/order-terms";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { RestoreButton } from "~/forms/restore-button";
import { useReply } from "~/forms/use-reply";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { DataNotice } from "~/ui/data-notice";
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

type PaymentProps = {
  /** Null when it could not be read: the typed values stay, but nothing can be ordered. */
  offer: OfferOnPage | null;
  accountEmail: string | null;
  /** Nothing was ordered with the account yet: its e-mail can be corrected. */
  isCorrectable: boolean;
  /** An earlier order may exist: the page can be read again before this one is sent. */
  isHistoryUnread: boolean;
  /** Name on the bank statement. */
  statementDescriptor: string | null;
  reply: FormReply | undefined;
  idempotencyKey: string;
};

/** The card form. The prices stand right beside the order button. */
export function CardPayment({
  accountEmail,
  isCorrectable,
  isHistoryUnread,
  offer,
  statementDescriptor,
  reply,
  idempotencyKey,
}: PaymentProps) {
  const { form, fields, control } = useReply<Fields>("payment", reply);
  const parts = { fields, control };
  const t = useT("card");
  return (
    <PostForm form={form} unanswered="unanswered.payment">
      <div className="split">
        <div className="form">
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          {offer && <OfferFields {...offer.values} />}
          {accountEmail ? (
            <Member email={accountEmail} isCorrectable={isCorrectable} />
          ) : (
            <FieldGroup legend={t("account")}>
              <AccountFields {...parts} created={reply?.created} />
            </FieldGroup>
          )}
          <FieldGroup legend={t("you")}>
            <NameFields {...parts} />
          </FieldGroup>
          <FieldGroup legend={t("card")}>
            <CardFields {...parts} />
          </FieldGroup>
          <HoneypotField />
          <DataNotice short={t("dataNotice.short")} full={t("dataNotice.full")} />
        </div>
        {offer ? (
          <PriceBox
            {...offer.words}
            statementDescriptor={statementDescriptor}
            title={t("offer")}
            trust={t("trust")}
          >
            <OrderTerms agreement={offer.agreement} field={fields.terms} control={control} />
            <OrderButton intent="pay" />
            {isHistoryUnread && <RestoreButton>{t("again")}</RestoreButton>}
          </PriceBox>
        ) : (
          <RestoreButton>{t("showOffer")}</RestoreButton>
        )}
      </div>
    </PostForm>
  );
}

/** A bank takes its time: once pressed, the button says so. */
function OrderButton({ intent }: { intent: "pay" | "link" }) {
  const isSent = useNavigation().formData?.get("intent") === intent;
  const t = useT("card");
  const text = intent === "pay" ? t("order") : t("link");
  return (
    <SendButton look="primary" block name="intent" value={intent}>
      {isSent ? t("wait") : text}
    </SendButton>
  );
}

function Member({ email, isCorrectable }: { email: string; isCorrectable: boolean }) {
  const t = useT("card");
  return (
    <p>
      {t("member", { email })} {isCorrectable && <a href={paths.registration()}>{t("correct")}</a>}
    </p>
  );
}

/**
 * The form that leads to the bank's page, which takes the card. It creates a missing
 * account.
 */
export function LinkPayment({ idempotencyKey, ...props }: PaymentProps) {
  const { accountEmail, isCorrectable, isHistoryUnread, offer, statementDescriptor, reply } = props;
  const { form, fields, control } = useReply<Fields>("payment", reply);
  const t = useT("card");
  return (
    <PostForm form={form}>
      <div className={accountEmail ? undefined : "split"}>
        <div className="form">
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          {offer && <OfferFields {...offer.values} />}
          {accountEmail ? (
            <Member email={accountEmail} isCorrectable={isCorrectable} />
          ) : (
            <FieldGroup legend={t("account")}>
              <AccountFields fields={fields} control={control} created={reply?.created} />
            </FieldGroup>
          )}
          <HoneypotField />
          <DataNotice short={t("dataNotice.short")} full={t("dataNotice.full")} />
        </div>
        {offer ? (
          <PriceBox
            {...offer.words}
            statementDescriptor={statementDescriptor}
            title={t("offer")}
            trust={t("trustLink")}
          >
            <OrderTerms agreement={offer.agreement} field={fields.terms} control={control} />
            <OrderButton intent="link" />
            {isHistoryUnread && <RestoreButton>{t("again")}</RestoreButton>}
          </PriceBox>
        ) : (
          <RestoreButton>{t("showOffer")}</RestoreButton>
        )}
      </div>
    </PostForm>
  );
}
