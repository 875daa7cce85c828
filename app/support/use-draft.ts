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

/**
 * Keeps the draft of a thread over a reload of its page, in this tab only. Emptying the field removes it.
 * A thread that is gone by then shows it on its 404 page (`enhance/kept-draft.ts`).
 */
export function useDraft(field: RefObject<HTMLTextAreaElement>, uid: string, form?: SendingForm) {
  const name = draftPrefix(useOwner()) + uid;
  const keyName = `${name}:key`;
  const latest = useRef(form);
  latest.current = form;
  /** Removes the draft once the site has taken it. */
  const forgetDraft = useCallback(() => {
    sessionStorage.removeItem(name);
    sessionStorage.removeItem(keyName);
  }, [name, keyName]);
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
      if (key) latest.current?.onRestored(key);
    }
    const saveDraft = () => {
      const { sending, idempotencyKey } = latest.current ?? {};
      const text = unsentText(sending?.current ?? IDLE, area.value);
      if (!text) return forgetDraft();
      sessionStorage.setItem(name, text);
      if (idempotencyKey) sessionStorage.setItem(keyName, idempotencyKey);
    };
    if (area.value && (isBack || !saved)) saveDraft();
    area.addEventListener("input", saveDraft);
    return () => area.removeEventListener("input", saveDraft);
  }, [field, name, keyName, forgetDraft]);
  return forgetDraft;
}
