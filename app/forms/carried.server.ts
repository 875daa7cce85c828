import { openCarried, sealCarried, type CarriedForm } from "~/session/carried.server";
import type { Visit } from "~/session/visit.server";
import { CARRIED_FIELD, RESTORE_FIELD } from "./carried";
import { isForeign, takeOwner } from "./read.server";
import { SECRET_FIELDS } from "./secrets";

/**
 * Seals a form whose sender must sign in again, without its secrets. The sealed form waits in
 * the login page, nothing is stored on the server. Null when the form cannot be kept whole.
 */
export async function carryForm(visit: Visit, form: FormData): Promise<string | null> {
  if (isForeign(form)) return null;
  const mark = takeOwner(form);
  const omitted = [...SECRET_FIELDS, RESTORE_FIELD];
  const fields = [...form].flatMap(([name, value]): [string, string][] =>
    omitted.includes(name) || typeof value !== "string" ? [] : [[name, value]],
  );
  return sealCarried(visit, fields, mark);
}

/** Takes the sealed form out of the login form, which then holds the credentials only. */
export function takeCarriedField(form: FormData): string | null {
  const sealed = form.get(CARRIED_FIELD);
  form.delete(CARRIED_FIELD);
  return typeof sealed === "string" ? sealed : null;
}

export async function openCarriedForm(
  visit: Visit,
  sealed: string | null,
): Promise<CarriedForm | null> {
  return sealed === null ? null : openCarried(visit, sealed);
}
