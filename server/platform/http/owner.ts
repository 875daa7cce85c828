import { notFound } from "./refusal";
import type { Principal } from "./types";

/** @throws Refusal 404: another's uid is as good as none */
export function own(uid: string, principal: Principal) {
  if (uid !== principal.uid) throw notFound();
}
