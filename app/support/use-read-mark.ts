import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { OWNER_FIELD, useOwner } from "~/forms/owner";

/** Marks messages as read once the page is visible. */
export function useReadMark(action: string, unread: boolean, until: string | undefined) {
  const { submit } = useFetcher();
  const owner = useOwner();
  useEffect(() => {
    if (!unread || !until) return undefined;
    const controller = new AbortController();
    const markRead = () => {
      if (document.visibilityState !== "visible") return;
      controller.abort();
      const read = { intent: "read", until, inPlace: "1", [OWNER_FIELD]: owner };
      submit(read, { method: "post", action });
    };
    document.addEventListener("visibilitychange", markRead, controller);
    markRead();
    return () => controller.abort();
  }, [submit, action, unread, until, owner]);
}
