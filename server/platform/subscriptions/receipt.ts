import type { PaymentOutcome } from "../ports/payment-gateway";
import type { Payment } from "./payments";
import { write } from "./letters";
import type { Subscription } from "./lookup";
import type { Life } from "./world";

type Success = Extract<PaymentOutcome, { status: "success" }>;

/** After each payment. */
export async function receipt(
  life: Life,
  subscription: Subscription,
  { uid, amount }: Payment,
  { cardHint }: Success,
) {
  const date = life.clock.now().toISOString();
  const periodEnd = subscription.expires_at;
  await write(life, subscription, `receipt:${uid}`, (site) => ({
    ...{ kind: "receipt", site, amount, date, periodEnd, cardHint },
  }));
}
