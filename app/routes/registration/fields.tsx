import type { ReactNode } from "react";
import { AccountFields } from "~/forms/account-fields";
import { HoneypotField } from "~/forms/honeypot-field";
import { OfferFields } from "~/forms/offer-fields";
import type { OfferOnPage } from "~/forms/offer.server";
import { OrderTerms } from "~/forms/order-terms";
import { PostForm, SendButton } from "~/forms/post-form";
import type { FormReply } from "~/forms/refuse.server";
import { RestoreButton } from "~/forms/restore-button";
import { useReply } from "~/forms/use-reply";
import type { DeletionWords } from "~/i18n/deletion-words.server";
import type { LossWords } from "~/i18n/subscription-words.server";
import type { UndoableWords } from "~/i18n/undo-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Checkbox } from "~/ui/checkbox";
import { DataNotice } from "~/ui/data-notice";
import { Loss } from "~/ui/loss";
import { PriceBox } from "~/ui/price-box";
import { Undoable } from "~/ui/undoable";

type Fields = { email: string; password: string; terms: string };
type ReplyProps = { reply: FormReply | undefined; offer: OfferOnPage | null };

type RegistrationFormProps = ReplyProps & {
  idempotencyKey: string;
  /** Why there is no offer, where it could not be read. */
  unread: ReactNode;
};

/** The registration form. The idempotency key makes a double click create one account. */
export function RegistrationForm({ reply, offer, idempotencyKey, unread }: RegistrationFormProps) {
  const { form, fields, control } = useReply<Fields>("registration", reply);
  const t = useT("registration");
  return (
    <PostForm form={form}>
      <div className="split">
        <div className="form">
          <input type="hidden" name="idempotencyKey" value={idempotencyKey} />
          {offer && <OfferFields {...offer.values} />}
          <AccountFields fields={fields} control={control} created={reply?.created} />
          <HoneypotField />
          <DataNotice short={t("dataNotice.short")} full={t("dataNotice.full")} />
          <p>
            {t("known")} <a href={paths.login()}>{t("login")}</a>
          </p>
        </div>
        <Order offer={offer} unread={unread}>
          <p className="soft small">{t("notice")}</p>
          <SendButton look="primary" block>
            {t("submit")}
          </SendButton>
          {!offer && (unread || reply) && <RestoreButton>{t("showOffer")}</RestoreButton>}
        </Order>
      </div>
    </PostForm>
  );
}

type SignedInFormProps = Omit<RegistrationFormProps, "idempotencyKey"> & {
  email: string;
  /** An earlier order may exist: the form does not say that the payment is missing. */
  isHistoryUnread: boolean;
  /** Nothing was ordered with this e-mail yet: another one can take its place. */
  isCorrectable: boolean;
  /** Its button orders. Otherwise the form that it leads to does. */
  orders: boolean;
};

/** The form of an account that has not paid yet. It leads on to the payment. */
export function SignedInForm(props: SignedInFormProps) {
  const { email, isHistoryUnread, isCorrectable, reply, offer, unread, orders } = props;
  const { form, fields, control } = useReply<Pick<Fields, "terms">>("payment", reply);
  const agreement = (orders && offer?.agreement) || null;
  const next = orders ? "member.text" : "member.step";
  const t = useT("registration");
  return (
    <>
      <PostForm form={form}>
        {offer && <OfferFields {...offer.values} />}
        <div className="split">
          <div className="stack">
            <p>{t(isHistoryUnread ? "member.unread" : next, { email })}</p>
          </div>
          <Order offer={offer} unread={unread}>
            <OrderTerms agreement={agreement} field={fields.terms} control={control} />
            {offer || unread || !reply ? (
              <SendButton look="primary" block name="intent" value="pay">
                {t("member.submit")}
              </SendButton>
            ) : (
              <RestoreButton>{t("showOffer")}</RestoreButton>
            )}
          </Order>
        </div>
      </PostForm>
      {/* A form of its own: Enter in the box of the terms presses the first button of its form. */}
      {isCorrectable && (
        <PostForm>
          <p>{t("member.wrong")}</p>
          <SendButton small name="intent" value="correct">
            {t("member.correct")}
          </SendButton>
        </PostForm>
      )}
    </>
  );
}

type OrderProps = Pick<RegistrationFormProps, "offer" | "unread"> & { children: ReactNode };

/** What is ordered, around the button that leads to the bank. */
function Order({ offer, unread, children }: OrderProps) {
  const t = useT("registration");
  if (offer) {
    return (
      <PriceBox {...offer.words} title={t("offer")} trust={t("trust")}>
        {children}
      </PriceBox>
    );
  }
  return (
    <div className="form">
      {unread}
      {children}
    </div>
  );
}

type RestartProps = Pick<ReplyProps, "reply"> & {
  email: string;
  /** Null where the contract could not be read. */
  ended: {
    date: string;
    undoable: UndoableWords | null;
    debit: string | null;
    credit: LossWords;
    /** Whether the page of payments has something to show. */
    hasPayments: boolean;
  } | null;
  /** Null where nobody is signed in any more. */
  deletion: DeletionWords | null;
  /** The answer to an earlier post was lost. */
  isLost: boolean;
};

/**
 * The form after a subscription has ended. A new start needs the old account deleted first.
 */
export function RestartForm({ email, ended, deletion, isLost, reply }: RestartProps) {
  const { form, fields, control } = useReply<{ confirm: string }>("restart", reply);
  const t = useT("registration");
  const { defaultValue, error, ...confirm } = control(fields.confirm);
  return (
    <PostForm form={form} unanswered="failures.deletion.broken" lost={isLost}>
      {ended && <p>{t("left.ended", { email, date: ended.date })}</p>}
      {ended?.debit && <p>{ended.debit}</p>}
      {ended?.undoable && <Undoable words={ended.undoable} isDeleting />}
      <p>{t("left.again")}</p>
      {deletion && (
        <>
          <div className="prose">
            <ul>
              {deletion.effects.map((effect) => (
                <li key={effect}>{effect}</li>
              ))}
            </ul>
          </div>
          <p>
            {ended?.hasPayments && (
              <>
                <a className="lone" href={paths.accountPayments()}>
                  {t("left.payments")}
                </a>
                <br />
              </>
            )}
            <a className="lone" href={paths.accountData()}>
              {t("left.data")}
            </a>
          </p>
          <Loss words={ended?.credit ?? null} />
          <Checkbox
            {...confirm}
            {...(error && { error })}
            value="on"
            defaultChecked={defaultValue === "on"}
            label={deletion.confirm}
            data-faults="deletion_"
            required
          />
        </>
      )}
      <SendButton look="danger" block name="intent" value="restart">
        {t("left.submit")}
      </SendButton>
    </PostForm>
  );
}
