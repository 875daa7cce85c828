import type { Visit } from "~/session/visit.server";
import { failureErrors } from "./failures.server";
import type { Errors } from "./refuse.server";

type NewAccount = { email: string; password: string; idempotencyKey?: string | undefined };
type Opened = { ok: true } | { ok: false; errors: Errors };

const fields = { identifier: "email", password: "password" };

/**
 * Creates the account and signs the visitor in. A form that is sent twice creates one account.
 * An e-mail that is taken is refused, even with the right password.
 */
export async function openAccount(
  visit: Visit,
  { email, password, idempotencyKey }: NewAccount,
  formula: string,
): Promise<Opened> {
  const { affiliation } = visit.session.data;
  const created = await visit.attempt("register", {
    headers: idempotencyKey ? { "idempotency-key": idempotencyKey } : {},
    body: { identifier: email, password, formula, ...(affiliation && { affiliation }) },
  });
  if (!created.ok)
    return { ok: false, errors: failureErrors("registration", created.error, fields) };
  const signedIn = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!signedIn.ok) {
    return { ok: false, errors: failureErrors("registration", signedIn.error) };
  }
  visit.session.connect("default", signedIn.value.payload.token);
  return { ok: true };
}
