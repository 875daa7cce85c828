import { notFound } from "./refusal";

export const ok = <T>(payload: T) => ({ status: 200, body: { payload } }) as const;

/** @throws Refusal 404 when the payload is null */
export function okOrNotFound<T>(payload: T | null) {
  if (payload === null) throw notFound();
  return ok(payload);
}
