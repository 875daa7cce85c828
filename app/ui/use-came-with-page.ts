import { useState, useSyncExternalStore } from "react";

const subscribe = () => () => undefined;

/**
 * Whether this part of the page came with the document. Somebody may have used it before React took it
 * over. False for what React drew later.
 */
export function useCameWithPage(): boolean {
  const isFirstDrawing = useSyncExternalStore(
    subscribe,
    () => false,
    () => true,
  );
  const [cameWithPage] = useState(isFirstDrawing);
  return cameWithPage;
}
