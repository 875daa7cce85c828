import { Form } from "@remix-run/react";
import { OfferFields } from "~/forms/offer-fields";
import type { OfferOnPage } from "~/forms/offer.server";
import { NamedTerms } from "~/forms/order-terms";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { PriceBox } from "~/ui/price-box";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";

/** A later period of the contract was paid, in sentences. `next`: null where no debit follows. */
export type RenewalWords = { text: string; next: string | null };

type SuccessProps = {
  /** Null where the payment opened a contract. */
  renewal: RenewalWords | null;
  /** A free trial: nothing was paid. */
  isFree: boolean;
  vip: boolean;
  returnTo: string | null;
  credit: string | null;
  isCreditUnread: boolean;
};

export function Success(props: SuccessProps) {
  const { isFree, vip, returnTo, credit, isCreditUnread, renewal } = props;
  const t = useT("payment");
  const opened = vip ? t("success.text") : t(isFree ? "success.free.waiting" : "success.waiting");
  return (
    <>
      {renewal ? (
        <PageHeading title={t("success.renewal.heading")} />
      ) : (
        <>
          <Steps current="welcome" />
          <PageHeading title={t(isFree ? "success.free.heading" : "success.heading")} />
        </>
      )}
      <Notice tone={vip ? "success" : "info"} live>
        {renewal && vip ? renewal.text : opened}
      </Notice>
      {renewal?.next && <p>{renewal.next}</p>}
      {credit && <p>{t("success.credit", { credit })}</p>}
      {isCreditUnread && <Notice tone="warning">{t("success.creditUnread")}</Notice>}
      <Cluster>
        <ButtonLink look="primary" href={returnTo ?? paths.articles()}>
          {t(returnTo ? "success.read" : "success.articles")}
        </ButtonLink>
        <ButtonLink look="quiet" href={paths.account()}>
          {t("success.account")}
        </ButtonLink>
      </Cluster>
    </>
  );
}

type RetryProps = {
  /** What the payment was made for. */
  order: { formula: string; trafficToken?: string } | null;
  offer: OfferOnPage | null;
  isOfferUnread: boolean;
  /** E-mail of an account with which nothing was ordered yet. Null for another. */
  correctableEmail: string | null;
};
type FailureProps = RetryProps & { text: string };

export function Failure({ text, ...retry }: FailureProps) {
  const t = useT("payment");
  return (
    <>
      {!retry.offer?.isRenewal && <Steps current="payment" />}
      <PageHeading title={t("failure.heading")} />
      <Notice tone="error" live>
        {text}
      </Notice>
      <Retry {...retry} />
    </>
  );
}

type UnboughtProps = RetryProps & { kind: "left" | "late"; text: string };

/** The bank's page was left without paying, or paid too late, or the bank was not asked. This is no refusal. */
export function Unbought({ kind, text, ...retry }: UnboughtProps) {
  const t = useT("payment");
  return (
    <>
      {!retry.offer?.isRenewal && <Steps current="payment" />}
      <PageHeading title={t(`${kind}.heading`)} />
      <Notice tone="info" live>
        {text}
      </Notice>
      <Retry {...retry} />
    </>
  );
}

function Retry({ order, offer, isOfferUnread, correctableEmail }: RetryProps) {
  const t = useT("payment");
  const isAsked = offer?.agreement?.isAsked === true;
  const button = (
    <>
      {isAsked ? <p>{t("failure.terms")}</p> : <NamedTerms agreement={offer?.agreement ?? null} />}
      <Button look="primary" name="intent" value="retry">
        {t(isAsked ? "failure.continue" : "failure.retry")}
      </Button>
    </>
  );
  return (
    <Form method="post" className="stack">
      <OwnerField />
      <p>{t("failure.kept")}</p>
      {correctableEmail && (
        <p>
          {t("failure.email", { email: correctableEmail })}{" "}
          <a href={paths.registration()}>{t("failure.correct")}</a>
        </p>
      )}
      {offer ? <OfferFields {...offer.values} /> : order && <OrderFields {...order} />}
      {isOfferUnread && <Unread text={t("failure.offerUnread")} />}
      {offer ? <PriceBox {...offer.words}>{button}</PriceBox> : <div>{button}</div>}
    </Form>
  );
}

/** The order without its price, which could not be read: the bank's page shows it. */
function OrderFields({ formula, trafficToken }: { formula: string; trafficToken?: string }) {
  return (
    <>
      <input type="hidden" name="formula" value={formula} />
      {trafficToken && <input type="hidden" name="trafficToken" value={trafficToken} />}
    </>
  );
}

/** The result could not be read. The payment may have succeeded, so the page offers no new one. */
export function UnreadResult({ text }: { text: string }) {
  const t = useT("payment");
  return (
    <>
      <PageHeading title={t("unread.heading")} />
      <Unread text={text} />
    </>
  );
}

export function NoPayment() {
  const t = useT("payment");
  return (
    <>
      <PageHeading title={t("none.heading")} />
      <Notice tone="info">{t("none.text")}</Notice>
      <Cluster>
        <ButtonLink look="primary" href={paths.login()}>
          {t("none.login")}
        </ButtonLink>
        <ButtonLink look="quiet" href={paths.registration()}>
          {t("none.register")}
        </ButtonLink>
      </Cluster>
    </>
  );
}
