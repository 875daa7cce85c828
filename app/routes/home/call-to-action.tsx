import type { OrderWords } from "~/i18n/order-words.server";
import { useT } from "~/i18n/use-t";
import { paths } from "~/paths";
import { ChartWheel } from "~/ui/art/chart-wheel";
import { ButtonLink } from "~/ui/button";
import { Hero } from "~/ui/hero";
import { PriceBox } from "~/ui/price-box";
import { SectionHeading } from "~/ui/section-heading";

type TrialProps = {
  /** The subscription begins with a trial. Without an offer that could be read nobody promises one. */
  hasTrial: boolean;
};

type HeroProps = {
  title: string;
  lead: string;
  /** Null where it could not be read. */
  offer: OrderWords | null;
};

export function VisitorHero({ title, lead, offer }: HeroProps) {
  const t = useT("home");
  const hasTrial = offer?.trial !== undefined;
  return (
    <Hero
      title={title}
      lead={lead}
      note={offer ? t(hasTrial ? "priceTrial" : "price", priceOf(offer)) : t("note")}
      art={<ChartWheel />}
      actions={
        <>
          <RegisterLink hasTrial={hasTrial} />
          <ButtonLink look="quiet" href={paths.articles()}>
            {t("articles")}
          </ButtonLink>
        </>
      }
    />
  );
}

const priceOf = ({ trial = "", amount, period }: OrderWords) => ({ trial, amount, period });

/** Subscribers see a link to the articles instead of the offer. */
export function SubscriberHero() {
  const t = useT("home");
  return (
    <Hero
      title={t("resume.title")}
      lead={t("resume.lead")}
      art={<ChartWheel />}
      actions={
        <ButtonLink look="primary" href={paths.articles()}>
          {t("account")}
        </ButtonLink>
      }
    />
  );
}

export function Offer({ offer }: { offer: OrderWords }) {
  const t = useT("home");
  return (
    <section className="section section--deep" aria-labelledby="offer">
      <div className="container container--narrow">
        <SectionHeading id="offer" title={t("offer.title")} lead={t("offer.lead")} />
        <PriceBox {...offer} trust={t("offer.trust")}>
          <RegisterLink hasTrial={offer.trial !== undefined} />
        </PriceBox>
      </div>
    </section>
  );
}

export function LastCall({ hasTrial }: TrialProps) {
  const t = useT("home");
  return (
    <section className="section section--night" aria-labelledby="last">
      <div className="container stack">
        <SectionHeading id="last" title={t("last.title")} lead={t("last.text")} />
        <p>
          <RegisterLink hasTrial={hasTrial} />
        </p>
      </div>
    </section>
  );
}

function RegisterLink({ hasTrial }: TrialProps) {
  const t = useT("home");
  return (
    <ButtonLink look="primary" href={paths.registration()}>
      {t(hasTrial ? "registerTrial" : "register")}
    </ButtonLink>
  );
}
