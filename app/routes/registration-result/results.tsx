import { Form } from "@remix-run/react";
import { OfferFields } from "~/forms/offer-fields";
import type { OfferOnPage } from "~/forms/offer.server";
import { NamedTerms } from "~/forms/order-terms";
import { OwnerField } from "~/forms/owner";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ChartWheel } from "~/ui/art/chart-wheel";
import { Button, ButtonLink } from "~/ui/button";
import { Cluster } from "~/ui/cluster";
import { DefinitionList } from "~/ui/definition-list";
import { Hero } from "~/ui/hero";
import { Notice } from "~/ui/notice";
import { PageHeading } from "~/ui/page-heading";
import { Plates } from "~/ui/plates";
import { PriceBox } from "~/ui/price-box";
import { SectionHeading } from "~/ui/section-heading";
import { Steps } from "~/ui/steps";
import { Unread } from "~/ui/unread";

/** A later period of the contract was paid, in sentences. `next`: null where no debit follows. */
export type RenewalWords = { text: string; next: string | null };

/**
 * `paid`, `next`: null where the API does not tell, or nothing was paid or will be debited. `receiptTo`: null where
 * nothing tells that the API mails receipts.
 */
export type PaidFacts = { paid: string | null; receiptTo: string | null; next: string | null };

type SuccessProps = {
  facts: PaidFacts | null;
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
  const { isFree, vip, returnTo, credit, isCreditUnread, renewal, facts } = props;
  const t = useT("payment");
  const opened = vip ? t("success.text") : t(isFree ? "success.free.waiting" : "success.waiting");
  const reading = returnTo ?? paths.articles();
  const ways = (
    <>
      <ButtonLink look="primary" href={reading}>
        {t(returnTo ? "success.read" : "success.articles")}
      </ButtonLink>
      <ButtonLink look="quiet" href={paths.account()}>
        {t("success.account")}
      </ButtonLink>
    </>
  );
  return (
    <>
      {!renewal && (
        <Hero
          title={t(isFree ? "success.free.heading" : "success.heading")}
          lead={t("success.lead")}
          actions={ways}
          art={<ChartWheel />}
        />
      )}
      <div className="container page page--narrow stack stack--l">
        {renewal ? (
          <PageHeading title={t("success.renewal.heading")} />
        ) : (
          <Steps current="welcome" />
        )}
        <Notice tone={vip ? "success" : "info"} live>
          {renewal && vip ? renewal.text : opened}
        </Notice>
        {renewal?.next && <p>{renewal.next}</p>}
        {facts && <Facts {...facts} isFree={isFree} isRenewal={renewal !== null} />}
        {credit && <p>{t("success.credit", { credit })}</p>}
        {isCreditUnread && <Notice tone="warning">{t("success.creditUnread")}</Notice>}
        {renewal ? <Cluster>{ways}</Cluster> : vip && <FirstSteps reading={reading} />}
      </div>
    </>
  );
}

function Facts({
  paid,
  receiptTo,
  next,
  isFree,
  isRenewal,
}: PaidFacts & { isFree: boolean; isRenewal: boolean }) {
  const t = useT("payment");
  return (
    <DefinitionList
      items={[
        { term: t("success.facts.paid"), value: paid },
        {
          term: t(isFree ? "success.facts.confirmation" : "success.facts.receipt"),
          value: receiptTo,
        },
        // Of a renewal a sentence of its own says it.
        { term: t("success.facts.next"), value: isRenewal ? null : next },
      ]}
    />
  );
}

function FirstSteps({ reading }: { reading: string }) {
  const t = useT("payment");
  const step = (name: "read" | "write" | "keep") => ({
    title: t(`success.first.${name}.title`),
    text: t(`success.first.${name}.text`),
  });
  return (
    <section className="stack" aria-labelledby="first-steps">
      <SectionHeading id="first-steps" title={t("success.first.heading")} />
      <Plates
        items={[
          { ...step("read"), href: reading },
          { ...step("write"), href: paths.coachingNewDiscussion() },
          step("keep"),
        ]}
      />
    </section>
  );
}

/** `replaces`: whose offer was ordered, where it is sold no more and this one takes its place. */
export type RetriedOffer = OfferOnPage & { replaces: "partners" | "own" | null };

type RetryProps = {
  /** What the payment was made for. Null where it cannot be made again. */
  order: { formula: string; trafficToken?: string } | null;
  offer: RetriedOffer | null;
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
      <p>
        <a className="lone" href={paths.contactNewTicket()}>
          {t("failure.help")}
        </a>
      </p>
    </>
  );
}

type UnboughtProps = RetryProps & { kind: "left" | "late"; text: string };

/** The bank's page was left without paying, or paid too late, or the bank was not asked. This is no refusal. */
export function Unbought({ kind, text, ...retry }: UnboughtProps) {
  const t = useT("payment");
  return (
    <>
      {retry.order && !retry.offer?.isRenewal && <Steps current="payment" />}
      <PageHeading title={t(`${kind}.heading`)} />
      <Notice tone="info" live>
        {text}
      </Notice>
      {retry.order && <Retry {...retry} />}
    </>
  );
}

function Retry({ order, offer, isOfferUnread, correctableEmail }: RetryProps) {
  const t = useT("payment");
  const isAsked = offer?.agreement?.isAsked === true;
  const replaces = offer?.replaces;
  const button = (
    <>
      {isAsked ? <p>{t("failure.terms")}</p> : <NamedTerms agreement={offer?.agreement ?? null} />}
      <Button look="primary" name="intent" value="retry">
        {t(isAsked || replaces ? "failure.continue" : "failure.retry")}
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
      {replaces && <Notice tone="warning">{t(`failure.replaced.${replaces}`)}</Notice>}
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
