import { useEffect, type RefObject } from "react";

/** Keeps a draft over a reload of the page, in this tab only. Emptying the field removes it. */
export function useDraft(field: RefObject<HTMLTextAreaElement>, name: string) {
  const key = `draft:${name}`;
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
    area.addEventListener("input", saveDraft);
    return () => area.removeEventListener("input", saveDraft);
  }, [field, key]);
  /** Removes the draft when it is sent. A refused post brings the text back by itself. */
  return () => sessionStorage.removeItem(key);
}
