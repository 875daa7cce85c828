import { notFound } from "./refusal";
import type { Reader } from "./types";

/** @throws Refusal 404: another's uid is as good as none */
export function own(uid: string, reader: Reader) {
  if (uid !== reader.uid) throw notFound();
}
