import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { paths } from "~/paths";
import { ButtonLink } from "./button";
import { Notice } from "./notice";

/** Why the renewal is to be paid on a page, and the way there. Nothing where it is not. */
export function Due({ subscription: { state, dueWords } }: { subscription: SubscriptionWords }) {
  return (
    dueWords && (
      <Notice tone={state === "grace" ? "error" : "warning"}>
        {dueWords.text && <p>{dueWords.text}</p>}
        <p>
          <ButtonLink look="primary" href={paths.registrationPayment()}>
            {dueWords.pay}
          </ButtonLink>
        </p>
      </Notice>
    )
  );
}
