import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";

/** Marks messages as read once the page is visible. */
export function useReadMark(action: string, unread: boolean, until: string | undefined) {
  const { submit } = useFetcher();
  useEffect(() => {
    if (!unread || !until) return undefined;
    const controller = new AbortController();
    const markRead = () => {
      if (document.visibilityState !== "visible") return;
      controller.abort();
      submit({ intent: "read", until, inPlace: "1" }, { method: "post", action });
    };
    document.addEventListener("visibilitychange", markRead, controller);
    markRead();
    return () => controller.abort();
  }, [submit, action, unread, until]);
}
