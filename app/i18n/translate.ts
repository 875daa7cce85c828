import type { Key, Namespace } from "./keys";

export type Values = Record<string, string | number>;
/** Returns the text of a key, with `{{name}}` filled in: `translate("ui", "footer.terms")`. */
export type Translate = <Name extends Namespace>(
  namespace: Name,
  key: Key<Name>,
  values?: Values,
) => string;
export type Texts = { [key: string]: string | Texts };
export type Catalogues = Record<string, Texts>;

/** Shown instead of a missing text. */
export const missingText = (namespace: string, key: string) => `${namespace}:${key}`;

const plural = new Intl.PluralRules("fr");

/** The browser's translator. It implements the few rules of i18next that the catalogues use. */
export function translatorOf(catalogues: Catalogues): Translate {
  return (namespace, key, values = {}) => {
    const texts = catalogues[namespace];
    const text = findText(texts, key, values.count) ?? missingText(namespace, key);
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ""));
  };
}

function findText(texts: Texts | undefined, key: string, count: string | number | undefined) {
  if (typeof count !== "number") return textAt(texts, key);
  return textAt(texts, `${key}_${plural.select(count)}`) ?? textAt(texts, `${key}_other`);
}

function textAt(texts: Texts | undefined, key: string): string | undefined {
  const parts = key.split(".");
  const found = parts.reduce<string | Texts | undefined>(
    (at, part) => (typeof at === "object" ? at[part] : undefined),
    texts,
  );
  return typeof found === "string" ? found : undefined;
}
