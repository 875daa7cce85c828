import { refusedChanges, type Change, type Order } from "~/api/offer.server";
import type { Visit } from "~/session/visit.server";
import { failureErrors } from "./failures.server";
import type { Errors } from "./refuse.server";

type NewAccount = { email: string; password: string; idempotencyKey?: string | undefined };
/**
 * `created`: the account exists, and only signing in failed. `changes`: the terms are other ones now.
 */
type Opened =
  { ok: true } | { ok: false; errors: Errors; created: boolean; changes?: readonly Change[] };

const fields = { identifier: "email", password: "password" };

/**
 * Creates the account and signs the visitor in. A form that is sent twice creates one account.
 * An e-mail that is taken is refused, even with the right password.
 */
export async function openAccount(
  visit: Visit,
  { email, password, idempotencyKey }: NewAccount,
  { formula, trafficToken, terms }: Pick<Order, "formula" | "trafficToken" | "terms">,
): Promise<Opened> {
  const { affiliation } = visit.session.data;
  const created = await visit.attempt("register", {
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: {
      identifier: email,
      password,
      formula,
      ...(affiliation && { affiliation }),
      ...(terms !== undefined && { terms }),
    },
  });
  if (!created.ok) {
    const changes = refusedChanges(created.error).filter((change) => change === "terms");
    if (changes.length > 0) return { ok: false, errors: {}, created: false, changes };
    const errors = failureErrors("registration", created.error, fields);
    return { ok: false, errors, created: false };
  }
  const signedIn = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!signedIn.ok) {
    // A person who signs in instead gets the same offer.
    if (trafficToken) visit.session.set({ uniqueToken: trafficToken });
    return { ok: false, errors: failureErrors("firstSignIn", signedIn.error), created: true };
  }
  visit.session.connect("default", signedIn.value.payload.token);
  return { ok: true };
}
