import { useForm, type FieldMetadata } from "@conform-to/react";
import { useEffect } from "react";
import type { FormReply } from "./refuse.server";

/**
 * One form of a page, tied to the action's answer. The server validates; without script the
 * browser's own checks stand in front, so `novalidate` is only set once the page is hydrated.
 */
export function useReply<Fields extends Record<string, unknown>>(
  id: string,
  reply: FormReply | undefined,
  defaultValue?: Partial<Record<keyof Fields & string, string>>,
) {
  const [form, fields] = useForm<Fields, string[]>({
    id,
    lastResult: reply?.lastResult,
    defaultValue: defaultValue as never,
    defaultNoValidate: false,
    shouldValidate: "onSubmit",
    shouldRevalidate: "onSubmit",
  });
  useFailedTitle(reply?.lastResult.status === "error");
  return { form, fields };
}

export type FaultyForm = { id: string; allErrors: Record<string, string[]> };

/** What the error summary lists, in the order of the form. */
export function summaryOf(form: FaultyForm) {
  return Object.entries(form.allErrors).flatMap(([name, texts]) =>
    texts.map((text) => ({ text, ...(name && { id: `${form.id}-${name}` }) })),
  );
}

/** Props of a text control: id, name, what was typed, its one error. */
export function controlOf<T>(field: FieldMetadata<T, Record<string, unknown>, string[]>) {
  const error = field.errors?.[0];
  return {
    id: field.id,
    name: field.name,
    defaultValue: typeof field.initialValue === "string" ? field.initialValue : undefined,
    ...(error && { error }),
  };
}

/** A document answered with errors already carries it; here the answer came without one. */
function useFailedTitle(failed: boolean) {
  useEffect(() => {
    const prefix = document.documentElement.dataset.failed ?? "";
    if (failed && !document.title.startsWith(prefix)) document.title = prefix + document.title;
  }, [failed]);
}
