import { createContext, useCallback, useContext } from "react";
import type { Key, Namespace } from "./keys";
import { missingText, type Translate, type Values } from "./translate";

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

/** Texts by keys that are built at run time. Undefined for an unknown key. */
export function useLookup<Name extends Namespace>(namespace: Name) {
  const translate = useContext(TranslateContext);
  if (!translate) throw new Error("useLookup needs a TranslateProvider above it");
  return useCallback(
    (key: string): string | undefined => {
      // The cast is safe: an unknown key is the case that is checked next.
      const text = translate(namespace, key as Key<Name>);
      return text === missingText(namespace, key) ? undefined : text;
    },
    [translate, namespace],
  );
}
