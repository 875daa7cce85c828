import { useEffect, useRef, useState } from "react";
import { useCameWithPage } from "~/ui/use-came-with-page";
import type { FormReply } from "./refuse.server";
import { AGREEMENT_FIELDS, SECRET_FIELDS, type SecretField } from "./secrets";
import { isCheckedField } from "./checks";
import { useChecks, type Faults } from "./use-checks";

/**
 * Connects a form of a page with the action's answer. The server validates. Without script the
 * browser's own checks come first, so `novalidate` is set only after hydration.
 */
export function useReply<Fields extends Record<string, unknown>>(
  id: string,
  reply: FormReply | undefined,
  defaultValue?: Partial<Record<keyof Fields & string, string>>,
) {
  const result = useLastResult(reply?.lastResult);
  const [initialValue] = useState(result?.initialValue ?? defaultValue ?? {});
  const noValidate = useNoValidate();
  const errors = errorsIn(result);
  const faults = useChecks(id, reply);
  useRefusal(id, reply, Object.keys(errors).length > 0);
  const firstFaulty = Object.keys(errors).find(Boolean);
  /** Props of a text control. The first faulty one has `autoFocus`, which works without script. */
  const control: Control = (field) => ({
    ...controlOf(field, faults[field.name]),
    ...(field.name === firstFaulty && { autoFocus: true }),
  });
  const fieldOf = (name: string): Field => ({
    id: `${id}-${name}`,
    name,
    errors: errors[name],
    initialValue: initialValue[name],
  });
  const form = {
    id,
    noValidate,
    allErrors: withoutCorrected(errors, faults),
    hasNewTerms: reply?.hasNewTerms === true,
    emptied: reply?.emptied ?? [],
  };
  return { form, fields: fieldsOf<keyof Fields & string>(fieldOf), control };
}

type Result = NonNullable<FormReply["lastResult"]>;

/** A page that is read again has no answer of its action: its form keeps the last one. */
function useLastResult(result: Result | undefined) {
  const [last, setLast] = useState(result);
  if (result && result !== last) setLast(result);
  return result ?? last;
}

function useNoValidate() {
  const [noValidate, setNoValidate] = useState(false);
  useEffect(() => setNoValidate(true), []);
  return noValidate;
}

const errorsIn = (result: Result | undefined): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(result?.error ?? {}).flatMap(([name, texts]) => (texts ? [[name, texts]] : [])),
  );

/** The fields by their names, which only the type of the form knows. */
const fieldsOf = <Name extends string>(fieldOf: (name: string) => Field) =>
  // The cast is safe: the proxy has a field for each name.
  new Proxy({}, { get: (_, name) => fieldOf(String(name)) }) as Record<Name, Field>;

/** A field of a form: what a control needs. */
export type Field = {
  id: string;
  name: string;
  errors?: string[] | undefined;
  initialValue?: unknown;
};

/** Returns the props of a text input. */
export type Control = (field: Field) => ReturnType<typeof controlOf> & { autoFocus?: boolean };

export type FaultyForm = {
  id: string;
  allErrors: Record<string, string[]>;
  /** The terms have changed since the page was opened. */
  hasNewTerms?: boolean;
  /** What was typed and has to be typed again. */
  emptied?: SecretField[];
};

/** The entries of the error summary, in the order of the form. */
export function summaryOf(form: FaultyForm) {
  return Object.entries(form.allErrors).flatMap(([name, texts]) =>
    texts.map((text) => ({ text, ...(name && { id: `${form.id}-${name}` }) })),
  );
}

/** The server's errors without those that were corrected since. */
function withoutCorrected(
  errors: Record<string, string[]>,
  faults: Faults,
): Record<string, string[]> {
  const entries = Object.entries(errors).flatMap(([name, texts]): [string, string[]][] => {
    const fault = faults[name];
    if (fault === undefined) return [[name, texts]];
    return fault === null ? [] : [[name, [fault]]];
  });
  return Object.fromEntries(entries);
}

/**
 * Props of a control. Its error is the server's, until a check in the browser replaces it. A property
 * `defaultValue`, even undefined, lets React write the first value again with each drawing: that empties
 * a date of which only a part is typed.
 */
function controlOf(field: Field, fault: string | null | undefined) {
  const error = fault === undefined ? field.errors?.[0] : fault;
  return {
    id: field.id,
    name: field.name,
    ...(typeof field.initialValue === "string" && { defaultValue: field.initialValue }),
    ...(error && { error }),
  };
}

/**
 * Updates the page after a refusal that arrived without a new document: the title says so, secrets are
 * emptied, and the first faulty field, or an error of the whole form, gets the focus. In a page
 * that came refused the browser has done so, and new secrets may be typed.
 */
function useRefusal(id: string, reply: FormReply | undefined, shown: boolean) {
  const cameWithPage = useCameWithPage();
  const first = useRef(reply);
  useEffect(() => {
    if (reply?.lastResult?.status !== "error" || !shown) return;
    const unmark = markFailed();
    if (!cameWithPage || reply !== first.current) showRefusal(id, reply);
    return unmark;
  }, [id, reply, shown, cameWithPage]);
}

function showRefusal(id: string, { lastResult, hasNewTerms }: FormReply) {
  const form = document.getElementById(id);
  if (!(form instanceof HTMLFormElement)) return;
  for (const name of SECRET_FIELDS) {
    const field = form.querySelector<HTMLInputElement>(`input[name="${name}"]`);
    if (field) field.value = "";
  }
  for (const name of hasNewTerms ? AGREEMENT_FIELDS : []) {
    const box = form.querySelector<HTMLInputElement>(`input[type=checkbox][name="${name}"]`);
    if (box) box.checked = false;
  }
  const { error = {} } = lastResult ?? {};
  const faulty = [...form.elements].find((field) => isCheckedField(field) && error?.[field.name]);
  if (faulty instanceof HTMLElement) return faulty.focus();
  const summary = form.querySelector<HTMLElement>("[data-error-summary]");
  if (!summary?.querySelector("a[href^='#']")) summary?.focus();
}

/** Says in the title of the open page that its form was not accepted. Returns how to take that back. */
export function markFailed() {
  const prefix = document.documentElement.dataset.failed ?? "";
  if (!document.title.startsWith(prefix)) document.title = prefix + document.title;
  return () => {
    if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length);
  };
}
