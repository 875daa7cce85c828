import { useForm } from "@conform-to/react";
import { useEffect } from "react";
import type { FormReply } from "./refuse.server";
import { AGREEMENT_FIELDS, SECRET_FIELDS } from "./secrets";
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
  const [form, fields] = useForm<Fields, string[]>({
    id,
    lastResult: reply?.lastResult,
    // Conform derives the type of this option from `Fields`, which TypeScript cannot do for a type
    // parameter. The signature above already restricts the values.
    defaultValue: defaultValue as never,
    defaultNoValidate: false,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onSubmit",
  });
  const faults = useChecks(id, reply);
  useRefusal(id, reply, Object.keys(form.allErrors).length > 0);
  const firstFaulty = Object.keys(form.allErrors).find(Boolean);
  /** Props of a text control. The first faulty one has `autoFocus`, which works without script. */
  const control: Control = (field) => ({
    ...controlOf(field, faults[field.name]),
    ...(field.name === firstFaulty && { autoFocus: true }),
  });
  const { noValidate, onSubmit } = form;
  const formProps = {
    id: form.id,
    noValidate,
    onSubmit,
    allErrors: withoutCorrected(form.allErrors, faults),
    hasNewTerms: reply?.hasNewTerms === true,
  };
  return { form: formProps, fields, control };
}

/** The part of a conform field that a control needs. */
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

/** Props of a control. Its error is the server's, until a check in the browser replaces it. */
function controlOf(field: Field, fault: string | null | undefined) {
  const error = fault === undefined ? field.errors?.[0] : fault;
  return {
    id: field.id,
    name: field.name,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    ...(error && { error }),
  };
}

/**
 * Updates the page after a refusal that arrived without a new document: the title says so, secrets are
 * emptied, and an error of the whole form gets the focus.
 */
function useRefusal(id: string, reply: FormReply | undefined, shown: boolean) {
  useEffect(() => {
    if (reply?.lastResult?.status !== "error" || !shown) return;
    const unmark = markFailed();
    const form = document.getElementById(id);
    for (const name of SECRET_FIELDS) {
      const field = form?.querySelector<HTMLInputElement>(`input[name="${name}"]`);
      if (field) field.value = "";
    }
    for (const name of reply.hasNewTerms ? AGREEMENT_FIELDS : []) {
      const box = form?.querySelector<HTMLInputElement>(`input[type=checkbox][name="${name}"]`);
      if (box) box.checked = false;
    }
    const summary = form?.querySelector<HTMLElement>("[data-error-summary]");
    if (!summary?.querySelector("a[href^='#']")) summary?.focus();
    return unmark;
  }, [id, reply, shown]);
}

/** Says in the title of the open page that its form was not accepted. Returns how to take that back. */
export function markFailed() {
  const prefix = document.documentElement.dataset.failed ?? "";
  if (!document.title.startsWith(prefix)) document.title = prefix + document.title;
  return () => {
    if (document.title.startsWith(prefix)) document.title = document.title.slice(prefix.length);
  };
}
