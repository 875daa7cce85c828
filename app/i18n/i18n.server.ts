import i18next from "i18next";
import { RemixI18Next } from "remix-i18next/server";
import type { Key, Namespace } from "./keys";
import type { Catalogues, Texts, Translate } from "./translate";

const LOCALE = "fr";

const files = import.meta.glob<Texts>("../locales/fr/*.json", { eager: true, import: "default" });

const catalogues: Catalogues = Object.fromEntries(
  Object.entries(files).map(([path, texts]) => [
    path.slice(path.lastIndexOf("/") + 1, -".json".length),
    texts,
  ]),
);

// One instance for all requests: a new one each costs a third of the throughput.
const shared = i18next.createInstance();
void shared.init({
  lng: LOCALE,
  supportedLngs: [LOCALE],
  fallbackLng: LOCALE,
  ns: Object.keys(catalogues),
  resources: { [LOCALE]: catalogues },
  initImmediate: false,
  interpolation: { escapeValue: false },
});
const fixed = shared.getFixedT(LOCALE);

export const remixI18n = new RemixI18Next({
  detection: {
    supportedLanguages: [LOCALE],
    fallbackLanguage: LOCALE,
    // Not from `Accept-Language`: there is one language, and a long header takes 20 ms to read.
    order: ["searchParams"],
  },
});

/** The server's translator, for components, actions and mails alike. */
export const translate: Translate = (namespace, key, values) =>
  fixed(key, { ...values, ns: namespace });

/** Whether a text exists, for keys built from codes that come from outside. */
export const hasText = <Name extends Namespace>(namespace: Name, key: string): key is Key<Name> =>
  shared.exists(key, { ns: namespace });

/** The catalogues that a page sends to the browser. */
export function pickCatalogues(namespaces: readonly string[]): Catalogues {
  return Object.fromEntries(namespaces.map((name) => [name, catalogues[name] ?? {}]));
}
