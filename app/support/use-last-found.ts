import { useState } from "react";
import type { ReadResult } from "~/api/read-result";

/**
 * Keeps showing a thread when reloading it fails, so that a half-written reply stays too. `uid`
 * identifies the thread.
 */
export function useLastFound<T>(read: ReadResult<T>, uid: string): ReadResult<T> {
  const [last, setLast] = useState({ read, uid });
  if (read.kind === "found" && read !== last.read) setLast({ read, uid });
  return read.kind === "failed" && last.uid === uid ? last.read : read;
}
