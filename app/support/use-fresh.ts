import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { isReachable } from "~/api/reachable";

const EVERY_MS = 10_000;

/**
 * Several coaches work at once: what others changed shows while the page is looked at, and at once
 * when that is why something was refused.
 */
export function useFresh(refusal?: unknown) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== "visible") return;
      void isReachable().then((reachable) => reachable && revalidate());
    };
    const timer = setInterval(look, EVERY_MS);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [revalidate]);
  useEffect(() => {
    if (refusal) revalidate();
  }, [revalidate, refusal]);
}
