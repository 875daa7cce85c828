import { useEffect } from "react";

/** Keyboard shortcuts of the desk. They move the focus or follow a link, except while typing. */
export function useDeskKeys() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const target = targetOf(event.key);
      if (!target) return;
      event.preventDefault();
      if (event.key === "u") target.click();
      else target.focus();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}

function targetOf(key: string): HTMLElement | null {
  const query = (selector: string) => document.querySelector<HTMLElement>(selector);
  if (key === "/") return query("#desk-q");
  if (key === "r") return query("[data-desk-reply] textarea");
  if (key === "u") return query("[data-desk-back]");
  if (key !== "j" && key !== "k") return null;
  const rows = [...document.querySelectorAll<HTMLElement>("[data-desk-rows] a")];
  const at = rows.findIndex((row) => row === document.activeElement);
  return rows[key === "j" ? at + 1 : Math.max(at - 1, 0)] ?? null;
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.matches("input, textarea, select");
