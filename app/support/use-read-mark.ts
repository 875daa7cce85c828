import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";

/** Tells the platform up to where the person has read, while they look at it. */
export function useReadMark(action: string, unread: boolean, until: string | undefined) {
  const { submit } = useFetcher();
  useEffect(() => {
    if (!unread || !until || document.visibilityState !== "visible") return;
    submit({ intent: "read", until }, { method: "post", action });
  }, [submit, action, unread, until]);
}
