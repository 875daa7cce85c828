import { useEffect, useState, type RefObject } from "react";

/**
 * Whether a form that is closed now holds a text that is not sent: it stays on the page, to be copied.
 * `isBack`: a text was sent in vain, and is in the field again.
 */
export function useKeptText(
  area: RefObject<HTMLTextAreaElement>,
  isClosed: boolean,
  isBack: boolean,
): boolean {
  const [isKept, setKept] = useState(isBack);
  useEffect(() => {
    if (isClosed) setKept(Boolean(area.current?.value));
  }, [area, isClosed, isBack]);
  return isKept;
}
