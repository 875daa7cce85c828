import { useEffect, useState, type RefObject } from "react";

/** Whether a form that is closed now holds a text that is not sent: it stays on the page, to be copied. */
export function useKeptText(
  area: RefObject<HTMLTextAreaElement>,
  isClosed: boolean,
  wasRefused: boolean,
): boolean {
  const [isKept, setKept] = useState(wasRefused);
  useEffect(() => {
    if (isClosed) setKept(Boolean(area.current?.value));
  }, [area, isClosed]);
  return isKept;
}
