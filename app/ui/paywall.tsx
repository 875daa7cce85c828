import type { ReactNode } from "react";
import { useT } from "~/i18n/use-t";
import { ButtonLink } from "./button";

type PaywallProps = {
  title: string;
  text: string;
  registerHref: string;
  /** Left out for signed-in visitors. */
  loginHref?: string;
  /** The offer in one line, with its price. */
  offer?: ReactNode;
};

/** The paywall at the end of an article's free part. The text above it has `.paywall-fade`. */
export function Paywall({ title, text, registerHref, loginHref, offer }: PaywallProps) {
  const t = useT("ui");
  return (
    <section className="paywall" aria-labelledby="paywall-title">
      <h2 id="paywall-title">{title}</h2>
      <p>{text}</p>
      <p className="paywall__actions">
        <ButtonLink look="primary" href={registerHref}>
          {t("paywall.register")}
        </ButtonLink>
        {loginHref && (
          <ButtonLink look="quiet" href={loginHref}>
            {t("paywall.login")}
          </ButtonLink>
        )}
      </p>
      {offer && <p className="paywall__offer">{offer}</p>}
    </section>
  );
}
