import { useCallback, useEffect, type RefObject } from "react";
import { useOwner } from "~/forms/owner";
import { draftPrefix } from "./draft-key";

/**
 * Keeps the draft of a thread over a reload of its page, in this tab only. Emptying the field removes it.
 * A thread that is gone by then shows it on its 404 page (`enhance/kept-draft.ts`).
 */
export function useDraft(field: RefObject<HTMLTextAreaElement>, uid: string) {
  const key = draftPrefix(useOwner()) + uid;
  useEffect(() => {
    const area = field.current;
    if (!area) return undefined;
    const saved = sessionStorage.getItem(key);
    if (saved && !area.value) {
      area.value = saved;
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const saveDraft = () =>
      area.value ? sessionStorage.setItem(key, area.value) : sessionStorage.removeItem(key);
    // A refused reply comes back with its page.
    if (area.value) saveDraft();
    area.addEventListener("input", saveDraft);
    return () => area.removeEventListener("input", saveDraft);
  }, [field, key]);
  /** Removes the draft once the site has taken it. */
  return useCallback(() => sessionStorage.removeItem(key), [key]);
}
