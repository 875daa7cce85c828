import { useEffect, type RefObject } from "react";

/** What is being written outlives a reload of the page, in this tab only; an empty field forgets it. */
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
  /** What is sent comes back with its refusal, if there is one. */
  return () => sessionStorage.removeItem(key);
}
