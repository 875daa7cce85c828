import { useFetcher } from "@remix-run/react";
import { useEffect } from "react";
import { OWNER_FIELD, useOwner } from "~/forms/owner";

/** Tells the platform up to where the person has read, once they look at it. */
export function useReadMark(action: string, unread: boolean, until: string | undefined) {
  const { submit } = useFetcher();
  const owner = useOwner();
  useEffect(() => {
    if (!unread || !until) return undefined;
    const told = new AbortController();
    const tell = () => {
      if (document.visibilityState !== "visible") return;
      told.abort();
      const read = { intent: "read", until, inPlace: "1", [OWNER_FIELD]: owner };
      submit(read, { method: "post", action });
    };
    document.addEventListener("visibilitychange", tell, told);
    tell();
    return () => told.abort();
  }, [submit, action, unread, until, owner]);
}
