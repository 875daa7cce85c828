import { data } from "@remix-run/node";
import { config } from "~/config.server";
import { carryForm, openCarriedForm, takeCarriedField } from "~/forms/carried.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { CarriedForm } from "~/session/carried.server";
import type { Visit } from "~/session/visit.server";
import { landingOf, loginReturnPath } from "~/session/return-path.server";
import { loginForm, type UnsentTexts } from "./form";

/** Signs in, then returns to the requested page or to the carried form. */
export async function signIn(visit: Visit, form: FormData) {
  const carried = takeCarriedField(form);
  const more = carried === null ? {} : { carried };
  const submission = parseForm(form, loginForm);
  if (submission.status !== "success") return refuse(visit, submission, {}, more);
  const { email, password } = submission.value;
  const outcome = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!outcome.ok) return refuse(visit, submission, failureErrors("login", outcome.error), more);
  visit.session.connect("default", outcome.value.payload.token);
  const carriedForm = await openCarriedForm(visit, carried);
  if (carriedForm) return resume(visit, carriedForm);
  const wanted = loginReturnPath(visit.url.searchParams.get("returnTo"));
  return visit.redirect(wanted ? landingOf(wanted) : homeOf(visit), { status: 303 });
}

/** The first page after signing in: the desk for coaches, the configured path for subscribers. */
export function homeOf({ session }: Visit) {
  const worksAtDesk = session.hasRole("coach") && !session.hasRole("vip");
  return worksAtDesk ? paths.desk() : config().redirectPath;
}

/** Whether a signed-in visitor may open the page that signing in leads to. */
export function isOpenTo({ session }: Visit, returnTo: string | null): boolean {
  if (session.hasRole("vip")) return true;
  if (!session.hasRole("coach")) return false;
  const [path = ""] = (returnTo ?? paths.desk()).split("?");
  return path === paths.account() || `${path}/`.startsWith(`${paths.desk()}/`);
}

/**
 * Keeps a form whose session has ended in the login page. If its sender is signed in again, it
 * continues.
 */
export async function submitCarried(visit: Visit, form: FormData) {
  if (isDenied(visit)) return data({ lastResult: {}, unsent: textsIn(form) }, { status: 403 });
  const carried = await carryForm(visit, form);
  const carriedForm = visit.session.claims() && (await openCarriedForm(visit, carried));
  return carriedForm ? resume(visit, carriedForm) : data({ lastResult: {}, carried });
}

/** Signed in, though without the role that the page asks for: the text comes back to be copied. */
function isDenied({ url: { searchParams }, session }: Visit) {
  const role = searchParams.has("team") ? "coach" : "vip";
  return searchParams.has("denied") && session.claims() !== null && !session.hasRole(role);
}

function textsIn(form: FormData): UnsentTexts {
  const textOf = (name: string) => {
    const value = form.get(name);
    return typeof value === "string" ? value : "";
  };
  return { subject: textOf("subject"), message: textOf("message") };
}

function resume(visit: Visit, form: CarriedForm) {
  visit.answerInPlace();
  return data({ lastResult: {}, resume: form });
}
