import { createContext, useCallback, useContext } from "react";
import type { Key, Namespace } from "./keys";
import type { Translate, Values } from "./translate";

const TranslateContext = createContext<Translate | null>(null);

export const TranslateProvider = TranslateContext.Provider;

/** Texts of one namespace: `const t = useT("login"); t("title")`. */
export function useT<Name extends Namespace>(namespace: Name) {
  const translate = useContext(TranslateContext);
  if (!translate) throw new Error("useT needs a TranslateProvider above it");
  return useCallback(
    (key: Key<Name>, values?: Values) => translate(namespace, key, values),
    [translate, namespace],
  );
}
