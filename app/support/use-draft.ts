import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useOwner } from "~/forms/owner";
import { draftPrefix } from "./draft-key";
import { IDLE, joinTexts, unsentText, type Sending } from "./sending";

/** What a form adds that empties its field while it sends (`use-sending-reply.ts`). */
type SendingForm = {
  /** A text on its way is a part of the draft until the site has taken it. */
  sending: { readonly current: Sending };
  /** Idempotency key of the form. The draft keeps it: the site may have taken the text already. */
  idempotencyKey: string;
  /** Called with the key of a draft that is in the field again. */
  onRestored: (idempotencyKey: string) => void;
};

/** Controls beside the field, which say what becomes of its text. */
export type DraftChoices = {
  read: () => string;
  /** Called when a draft is in the field again. Null: its choices are unknown. */
  restore: (saved: string | null) => void;
};

type DraftOptions = Partial<SendingForm> & { choices?: DraftChoices };

/**
 * Keeps the draft of a thread over a reload of its page, in this tab only. Emptying the field removes it.
 * A thread that is gone by then shows it on its 404 page (`enhance/kept-draft.ts`).
 */
export function useDraft(
  field: RefObject<HTMLTextAreaElement>,
  uid: string,
  options?: DraftOptions,
) {
  const name = draftPrefix(useOwner()) + uid;
  const keyName = `${name}:key`;
  const choicesName = `${name}:choices`;
  const latest = useRef(options);
  latest.current = options;
  /** Removes the draft once the site has taken it. */
  const forgetDraft = useCallback(() => {
    sessionStorage.removeItem(name);
    sessionStorage.removeItem(keyName);
    sessionStorage.removeItem(choicesName);
  }, [name, keyName, choicesName]);
  useEffect(() => {
    const area = field.current;
    if (!area) return undefined;
    const saved = sessionStorage.getItem(name);
    // A refused reply comes back with its page, and is newer than the draft.
    const isBack = area.defaultValue !== "" && !saved?.includes(area.value);
    if (saved && !isBack) {
      // The browser may have brought back what was in the field: less than the draft if a text was on its way.
      // Other words were typed before this script ran.
      area.value = saved.includes(area.value) ? saved : joinTexts(saved, area.value);
      area.dispatchEvent(new Event("input", { bubbles: true }));
      sessionStorage.setItem(name, area.value);
      const key = sessionStorage.getItem(keyName);
      if (key) latest.current?.onRestored?.(key);
      latest.current?.choices?.restore(sessionStorage.getItem(choicesName));
    }
    const saveDraft = () => {
      const { sending, idempotencyKey, choices } = latest.current ?? {};
      const text = unsentText(sending?.current ?? IDLE, area.value);
      if (!text) return forgetDraft();
      // First, so that no text is ever kept without its choices.
      if (choices) sessionStorage.setItem(choicesName, choices.read());
      sessionStorage.setItem(name, text);
      if (idempotencyKey) sessionStorage.setItem(keyName, idempotencyKey);
    };
    if (area.value && (isBack || !saved)) saveDraft();
    const form = area.closest("form") ?? area;
    form.addEventListener("input", saveDraft);
    return () => form.removeEventListener("input", saveDraft);
  }, [field, name, keyName, choicesName, forgetDraft]);
  return forgetDraft;
}
