import { useRevalidator } from "@remix-run/react";
import { useEffect } from "react";
import { isSiteReachable } from "~/api/reachable";

const EVERY_MS = 10_000;

/**
 * Reloads the page's data while the page is visible, because several coaches work at the same time. It
 * also reloads after a refusal, whose cause may be another coach's change.
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
