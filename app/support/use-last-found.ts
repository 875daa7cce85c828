import { useState } from "react";
import type { ReadResult } from "~/api/read-result";

/**
 * Looked up anew, a thread may fail to be read: what stands there stays, with what is being written
 * below it. `uid` tells another thread.
 */
export function useLastFound<T>(read: ReadResult<T>, uid: string): ReadResult<T> {
  const [last, setLast] = useState({ read, uid });
  if (read.kind === "found" && read !== last.read) setLast({ read, uid });
  return read.kind === "failed" && last.uid === uid ? last.read : read;
}
