import { useState } from "react";
import type { ReadResult } from "~/api/read-result";

/**
 * Keeps what an open page of a thread has read when reloading it fails or finds it gone, so that a
 * half-written reply or a choice stays too. `uid` identifies the thread.
 */
export function useLastFound<T>(read: ReadResult<T>, uid: string): ReadResult<T> {
  const [last, setLast] = useState({ read, uid });
  if (read.kind === "found" && read !== last.read) setLast({ read, uid });
  return read.kind !== "found" && last.uid === uid ? last.read : read;
}
