import { notFound } from "./refusal";

export const ok = <T>(payload: T) => ({ status: 200, body: { payload } }) as const;

/** @throws Refusal 404 without a payload */
export function okOrNotFound<T>(payload: T | null | undefined) {
  if (payload === null || payload === undefined) throw notFound();
  return ok(payload);
}
