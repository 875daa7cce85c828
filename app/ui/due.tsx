import type { SubscriptionWords } from "~/i18n/subscription-words.server";
import { paths } from "~/paths";
import { ButtonLink } from "./button";
import { Notice } from "./notice";

/** Says why the renewal has to be paid on a page, and links to it. Shows nothing if it need not be paid there. */
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
