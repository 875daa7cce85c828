import { useNavigation, useRevalidator } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { isSiteReachable } from "~/api/reachable";

const EVERY_MS = 10_000;

/**
 * Reloads the page's data while the page is visible, because several coaches work at the same time. It
 * waits while a post is under way: it would cancel the load of its answer, whose messages are read once. A page
 * without anything left to read is not active.
 */
export function useRevalidation(isActive = true) {
  const { revalidate } = useRevalidator();
  const { state } = useNavigation();
  const isIdle = useRef(true);
  isIdle.current = state === "idle";
  useEffect(() => {
    if (!isActive) return undefined;
    const revalidateIfVisible = () => {
      if (document.visibilityState !== "visible") return;
      void isSiteReachable().then((reachable) => reachable && isIdle.current && revalidate());
    };
    const timer = setInterval(revalidateIfVisible, EVERY_MS);
    document.addEventListener("visibilitychange", revalidateIfVisible);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", revalidateIfVisible);
    };
  }, [isActive, revalidate]);
}
