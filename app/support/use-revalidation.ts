import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { isSiteReachable } from "~/api/reachable";

const EVERY_MS = 10_000;

/**
 * Several coaches work at once: what others changed shows while the page is looked at, and at once
 * when that is why something was refused.
 */
export function useRevalidation(refusal?: unknown) {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    const revalidateIfVisible = () => {
      if (document.visibilityState !== "visible") return;
      void isSiteReachable().then((reachable) => reachable && revalidate());
    };
    const timer = setInterval(revalidateIfVisible, EVERY_MS);
    document.addEventListener("visibilitychange", revalidateIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", revalidateIfVisible);
    };
  }, [revalidate]);
  useEffect(() => {
    if (refusal) revalidate();
  }, [revalidate, refusal]);
}
