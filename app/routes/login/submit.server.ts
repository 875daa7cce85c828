import { data } from "@remix-run/node";
import { config } from "~/config.server";
import { keepForm, keptForm, takeCarried } from "~/forms/carried.server";
import { failureErrors } from "~/forms/failures.server";
import { parseForm } from "~/forms/read.server";
import { refuse } from "~/forms/refuse.server";
import { paths } from "~/paths";
import type { CarriedForm } from "~/session/carried.server";
import type { Visit } from "~/session/enter.server";
import { safeReturnPath } from "~/session/return-path.server";
import { loginForm, type UnsentTexts } from "./form";

/** After it: back to the page asked for, or to what was being sent there. */
export async function signIn(visit: Visit, form: FormData) {
  const carried = takeCarried(form);
  const more = carried === null ? {} : { carried };
  const submission = parseForm(form, loginForm);
  if (submission.status !== "success") return refuse(visit, submission, {}, more);
  const { email, password } = submission.value;
  const outcome = await visit.attempt("checkAuth", { body: { identifier: email, password } });
  if (!outcome.ok) return refuse(visit, submission, failureErrors("login", outcome.error), more);
  visit.session.connect("default", outcome.value.payload.token);
  const kept = await keptForm(visit, carried);
  if (kept) return resume(visit, kept);
  const wanted = safeReturnPath(visit.url.searchParams.get("returnTo"));
  return visit.redirect(wanted ?? homeOf(visit), { status: 303 });
}

/** Coaches work at the desk; the account is for subscribers. */
function homeOf({ session }: Visit) {
  const atDesk = session.hasRole("coach") && !session.hasRole("vip");
  return atDesk ? paths.desk() : config().redirectPath;
}

/** A form sent after its session had ended waits here, unless its sender is back already. */
export async function carry(visit: Visit, form: FormData) {
  if (isDenied(visit)) return data({ lastResult: {}, unsent: textsIn(form) }, { status: 403 });
  const carried = await keepForm(visit, form);
  const kept = visit.session.claims() && (await keptForm(visit, carried));
  return kept ? resume(visit, kept) : data({ lastResult: {}, carried });
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
  visit.stay();
  return data({ lastResult: {}, resume: form });
}
