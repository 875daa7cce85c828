import type { Order } from "~/api/offer.server";
import type { Visit } from "~/session/visit.server";
import { failureErrors } from "./failures.server";
import type { Errors } from "./refuse.server";

type NewAccount = { email: string; password: string; idempotencyKey?: string | undefined };
/** `created`: the account exists, and only signing in failed. */
type Opened = { ok: true } | { ok: false; errors: Errors; created: boolean };

const fields = { identifier: "email", password: "password" };

/**
 * Creates the account and signs the visitor in. A form that is sent twice creates one account.
 * An e-mail that is taken is refused, even with the right password.
 */
export async function openAccount(
  visit: Visit,
  { email, password, idempotencyKey }: NewAccount,
  { formula, trafficToken }: Pick<Order, "formula" | "trafficToken">,
): Promise<Opened> {
  const { affiliation } = visit.session.data;
  const created = await visit.attempt("register", {
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: { identifier: email, password, formula, ...(affiliation && { affiliation }) },
  });
  if (!created.ok) {
    const errors = failureErrors("registration", created.error, fields);
    return { ok: false, errors, created: false };
  }
  const signedIn = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!signedIn.ok) {
    // Whoever signs in at the login page is offered the same again.
    if (trafficToken) visit.session.set({ uniqueToken: trafficToken });
    return { ok: false, errors: failureErrors("firstSignIn", signedIn.error), created: true };
  }
  visit.session.connect("default", signedIn.value.payload.token);
  return { ok: true };
}
