import { useCallback, useEffect, useRef, type RefObject } from "react";
import { useOwner } from "~/forms/owner";
import { draftPrefix } from "./draft-key";

/** What a form adds that empties its field while it sends (`use-sending-reply.ts`). */
type Sending = {
  /** The text on its way. It is a part of the draft until the site has taken it. */
  onTheWay: { readonly current: string };
  /** Idempotency key of the form. The draft keeps it: the site may have taken the text already. */
  idempotencyKey: string;
  /** Called with the key of a draft that is in the field again. */
  onRestored: (idempotencyKey: string) => void;
};

/**
 * Keeps the draft of a thread over a reload of its page, in this tab only. Emptying the field removes it.
 * A thread that is gone by then shows it on its 404 page (`enhance/kept-draft.ts`).
 */
export function useDraft(field: RefObject<HTMLTextAreaElement>, uid: string, sending?: Sending) {
  const name = draftPrefix(useOwner()) + uid;
  const keyName = `${name}:key`;
  const latest = useRef(sending);
  latest.current = sending;
  /** Removes the draft once the site has taken it. */
  const forgetDraft = useCallback(() => {
    sessionStorage.removeItem(name);
    sessionStorage.removeItem(keyName);
  }, [name, keyName]);
  useEffect(() => {
    const area = field.current;
    if (!area) return undefined;
    const saved = sessionStorage.getItem(name);
    // The browser may have brought back what was in the field: less than the draft if a text was on its way.
    if (saved?.includes(area.value)) {
      area.value = saved;
      area.dispatchEvent(new Event("input", { bubbles: true }));
      const key = sessionStorage.getItem(keyName);
      if (key) latest.current?.onRestored(key);
    }
    const saveDraft = () => {
      const { onTheWay, idempotencyKey } = latest.current ?? {};
      const text = joinTexts(onTheWay?.current ?? "", area.value);
      if (!text) return forgetDraft();
      sessionStorage.setItem(name, text);
      if (idempotencyKey) sessionStorage.setItem(keyName, idempotencyKey);
    };
    // A refused reply comes back with its page.
    if (area.value && area.value !== saved) saveDraft();
    area.addEventListener("input", saveDraft);
    return () => area.removeEventListener("input", saveDraft);
  }, [field, name, keyName, forgetDraft]);
  return forgetDraft;
}

const BREAK = "\n\n";

/** A text that was not sent and what was typed after it as one, without blank ones. */
export const joinTexts = (first: string, second: string) =>
  [first, second].filter((text) => text.trim()).join(BREAK);

/** The reverse of `joinTexts`, as long as the first text is unchanged. */
export function splitText(text: string, first: string): [first: string, second: string] {
  const start = first + BREAK;
  return first && text.startsWith(start) ? [first, text.slice(start.length)] : [text, ""];
}
