import type { ReactNode } from "react";
import { ButtonLink } from "./button";

type PaywallProps = {
  title: string;
  text: string;
  /** What can be done here, the most useful first. */
  actions: readonly { text: string; href: string }[];
  /** The offer in one line, with its price. */
  offer?: ReactNode;
};

/** The paywall at the end of an article's free part. The text above it has `.paywall-fade`. */
export function Paywall({ title, text, actions, offer }: PaywallProps) {
  return (
    <section className="paywall" aria-labelledby="paywall-title">
      <h2 id="paywall-title">{title}</h2>
      <p>{text}</p>
      <p className="paywall__actions">
        {actions.map((action, index) => (
          <ButtonLink key={action.href} look={index === 0 ? "primary" : "quiet"} href={action.href}>
            {action.text}
          </ButtonLink>
        ))}
      </p>
      {offer && <p className="paywall__offer">{offer}</p>}
    </section>
  );
}
