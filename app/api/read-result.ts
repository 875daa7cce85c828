/**
 * Result of a read. Only the API's 404 becomes `none`. All other errors become `failed`, so that no
 * page shows a failure as "there is nothing".
 */
export type ReadResult<T> = { kind: "found"; value: T } | { kind: "none" } | { kind: "failed" };

export const NONE = { kind: "none" } as const;
export const FAILED = { kind: "failed" } as const;

export const found = <T>(value: T) => ({ kind: "found", value }) as const;

export function mapResult<T, U>(read: ReadResult<T>, change: (value: T) => U): ReadResult<U> {
  return read.kind === "found" ? found(change(read.value)) : read;
}
