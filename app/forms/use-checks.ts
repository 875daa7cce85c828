import { useEffect, useState } from "react";
import { useLookup } from "~/i18n/use-t";
import { faultOf, isCheckedField, type CheckedField } from "./checks";
import type { FormReply } from "./refuse.server";

/** The text of each field's fault, by field name. Null: the fault is corrected. */
export type Faults = Record<string, string | null>;

/**
 * Checks a field in the browser: when it is left after typing, and at each character while it shows a
 * fault, so that a corrected field loses its error at once.
 */
export function useChecks(formId: string, reply: FormReply | undefined): Faults {
  const textOf = useLookup("forms");
  const [faults, setFaults] = useState<Faults>({});
  const [checkedReply, setCheckedReply] = useState(reply);
  // A new reply of the server replaces the browser's findings.
  if (checkedReply !== reply) {
    setCheckedReply(reply);
    setFaults({});
  }
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!(form instanceof HTMLFormElement)) return;
    const check = (field: CheckedField) => {
      const code = faultOf(field);
      const words = code && faultText(textOf, field.name, (field.dataset.faults ?? "") + code);
      setFaults((before) => ({ ...before, [field.name]: words }));
    };
    return watchFields(form, check);
  }, [formId, textOf]);
  return faults;
}

/**
 * Calls `check` when a field should be checked, and returns a function that stops it. While a pointer
 * is down the check waits: a new error text would move the button away from the pointer.
 */
function watchFields(form: HTMLFormElement, check: (field: CheckedField) => void) {
  // Fields that were filled before React took over the page are checked on leaving, too.
  const typed = new Set<EventTarget>([...form.elements].filter(isTyped));
  let isPressed = false;
  let leftField: CheckedField | null = null;
  const checkAgain = (field: unknown) => {
    if (isCheckedField(field) && field.getAttribute("aria-invalid") === "true") check(field);
  };
  const onInput = ({ target }: Event) => {
    if (!isCheckedField(target) || !target.name) return;
    typed.add(target);
    checkAgain(target);
    // A change of the first password may correct the fault of its confirmation.
    if (target.name === "password") checkAgain(form.elements.namedItem("passwordConfirmation"));
  };
  const onLeave = ({ target }: Event) => {
    if (!isCheckedField(target) || !typed.has(target)) return;
    if (isPressed) leftField = target;
    else check(target);
  };
  const onPress = () => {
    isPressed = true;
  };
  const onRelease = () =>
    setTimeout(() => {
      isPressed = false;
      if (leftField) check(leftField);
      leftField = null;
    });
  // After sending, the server's answer decides.
  const onSubmit = () => {
    leftField = null;
    typed.clear();
  };
  const watch = new AbortController();
  const { signal } = watch;
  const first = { signal, capture: true };
  form.addEventListener("input", onInput, { signal });
  form.addEventListener("focusout", onLeave, { signal });
  form.addEventListener("submit", onSubmit, { signal });
  document.addEventListener("pointerdown", onPress, first);
  document.addEventListener("pointerup", onRelease, first);
  document.addEventListener("pointercancel", onRelease, first);
  return () => watch.abort();
}

const isTyped = (field: Element) =>
  (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
  field.value !== field.defaultValue;

/** The same text that the server shows for this fault (`read.server.ts`). */
function faultText(
  textOf: (key: string) => string | undefined,
  name: string,
  code: string,
): string {
  const keys = [`errors.${name}.${code}`, `errors.any.${code}`, "errors.any.invalid"];
  return keys.map(textOf).find((text) => text !== undefined) ?? code;
}
