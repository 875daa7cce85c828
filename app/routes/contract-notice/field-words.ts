import { useT } from "~/i18n/use-t";
import type { kinds, KindName } from "./kinds";

type FieldName = (typeof kinds)["cancellation"]["fields"][number];

/** Label and hint of a field. Reference and date have the same words in both kinds. */
export function useFieldWords(kind: KindName) {
  const [t, cancellation] = [useT(kind), useT("cancellation")];
  return (name: FieldName, part: "label" | "hint") =>
    name === "name" || name === "email"
      ? t(`fields.${name}.${part}`)
      : cancellation(`fields.${name}.${part}`);
}
