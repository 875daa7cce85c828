import { useEffect, useState } from "react";
import { useLookup } from "~/i18n/use-t";
import { faultOf, isCheckedField, type CheckedField } from "./checks";
import type { FormReply } from "./refuse.server";

/** By field: the words of its fault, or null where the server's fault is corrected. */
export type Faults = Record<string, string | null>;

/**
 * Looks at a field when it is left after something was typed, and with each character where a fault
 * stands, so that a corrected one loses it at once. Nothing is asked of the server.
 */
export function useChecks(formId: string, reply: FormReply | undefined): Faults {
  const textOf = useLookup("forms");
  const [faults, setFaults] = useState<Faults>({});
  const [checkedReply, setCheckedReply] = useState(reply);
  // Answered: what the server says of the fields stands.
  if (checkedReply !== reply) {
    setCheckedReply(reply);
    setFaults({});
  }
  useEffect(() => {
    const form = document.getElementById(formId);
    if (!form) return;
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
 * Calls when a field is to be looked at; returns how to end it. While a pointer is down nothing
 * moves: words that appear under it would make the button it presses slip away.
 */
function watchFields(form: HTMLElement, check: (field: CheckedField) => void) {
  const typed = new Set<EventTarget>();
  let isPressed = false;
  let leftField: CheckedField | null = null;
  const onInput = ({ target }: Event) => {
    if (!isCheckedField(target) || !target.name) return;
    typed.add(target);
    if (target.getAttribute("aria-invalid") === "true") check(target);
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
  // Sent: the answer says what is wrong.
  const onSubmit = () => {
    leftField = null;
    typed.clear();
  };
  form.addEventListener("input", onInput);
  form.addEventListener("focusout", onLeave);
  form.addEventListener("submit", onSubmit);
  document.addEventListener("pointerdown", onPress, true);
  document.addEventListener("pointerup", onRelease, true);
  document.addEventListener("pointercancel", onRelease, true);
  return () => {
    form.removeEventListener("input", onInput);
    form.removeEventListener("focusout", onLeave);
    form.removeEventListener("submit", onSubmit);
    document.removeEventListener("pointerdown", onPress, true);
    document.removeEventListener("pointerup", onRelease, true);
    document.removeEventListener("pointercancel", onRelease, true);
  };
}

/** The words of the server for the same fault (`read.server.ts`). */
function faultText(
  textOf: (key: string) => string | undefined,
  name: string,
  code: string,
): string {
  const keys = [`errors.${name}.${code}`, `errors.any.${code}`, "errors.any.invalid"];
  return keys.map(textOf).find((text) => text !== undefined) ?? code;
}
