import i18next from "i18next";
import { RemixI18Next } from "remix-i18next/server";
import { config } from "~/config.server";
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
  interpolation: {
    escapeValue: false,
    // Read with each text, because importing this module must not read the environment.
    defaultVariables: {
      get siteTitle() {
        return config().siteTitle;
      },
    },
  },
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

/** Texts without values, which are the same each time. A page has a hundred of them. */
const plain = new Map<string, string>();

/** The server's translator, for components, actions and mails alike. */
export const translate: Translate = (namespace, key, values) => {
  if (values) return fixed(key, { ...values, ns: namespace });
  const name = `${namespace}:${key}`;
  const known = plain.get(name);
  if (known !== undefined) return known;
  const text = fixed(key, { ns: namespace });
  // Keys of missing texts may come from outside, in any number.
  if (hasText(namespace, key)) plain.set(name, text);
  return text;
};

/** Whether a text exists, for keys built from codes that come from outside. */
export const hasText = <Name extends Namespace>(namespace: Name, key: string): key is Key<Name> =>
  shared.exists(key, { ns: namespace });

const encoded = new Map<string, string>();

/** The catalogues that a page sends to the browser, with the name of the site, as JSON. */
export function encodeCatalogues(namespaces: readonly string[]): string {
  const parts = namespaces.map((name) => `${JSON.stringify(name)}:${encodeCatalogue(name)}`);
  return `{${parts.join()}}`;
}

/** Encoded once: it is half of a page. */
function encodeCatalogue(name: string): string {
  const known = encoded.get(name) ?? JSON.stringify(nameSite(catalogues[name] ?? {}));
  encoded.set(name, known);
  return known;
}

function nameSite(texts: Texts): Texts {
  const { siteTitle } = config();
  const named = Object.entries(texts).map(([key, text]): [string, string | Texts] => [
    key,
    typeof text === "string" ? text.replaceAll("{{siteTitle}}", siteTitle) : nameSite(text),
  ]);
  return Object.fromEntries(named);
}
