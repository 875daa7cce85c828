import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";

/** Tells the platform up to where the person has read, once they look at it. */
export function useReadMark(action: string, unread: boolean, until: string | undefined) {
  const { submit } = useFetcher();
  useEffect(() => {
    if (!unread || !until) return undefined;
    const told = new AbortController();
    const tell = () => {
      if (document.visibilityState !== "visible") return;
      told.abort();
      submit({ intent: "read", until, inPlace: "1" }, { method: "post", action });
    };
    document.addEventListener("visibilitychange", tell, told);
    tell();
    return () => told.abort();
  }, [submit, action, unread, until]);
}
