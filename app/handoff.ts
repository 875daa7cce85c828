import type { Catalogues } from "./i18n/translate";
import type { Hydration } from "./session/page-handle";

/** The id of the element in the page that carries the handoff. */
export const ELEMENT_ID = "handoff";

/**
 * What a page carries so that React can take it over in the browser. It is data and no script: the page
 * needs no nonce, and nothing runs before `app/enhance` decides that it should.
 */
export type Handoff = {
  hydrate: Hydration;
  /** Becomes `window.__remixContext`. */
  context: object;
  /** What loaders and action returned, as Remix encodes it. */
  data: string;
  texts: Catalogues;
  /** Address of the texts of all forms, which a browser keeps: in each page they were half of it. */
  formTexts: string;
  modules: Modules;
};

/** Addresses of the scripts that take over a page. */
export type Modules = {
  /** Has to run before the others. Only the development server has one. */
  runtime?: string;
  /** Sets `window.__remixManifest`. */
  manifest: string;
  /** `app/entry.client.tsx` */
  entry: string;
  /** The modules of the page and of what surrounds it, by route id. */
  routes: Record<string, string>;
  /** What entry and routes import. */
  shared: string[];
};

export const addressesOf = ({ manifest, entry, routes, shared }: Modules) => [
  manifest,
  entry,
  ...shared,
  ...Object.values(routes),
];

/** The handoff as the server has it: with the texts as JSON, which is the same for many pages. */
export type ServerHandoff = Omit<Handoff, "texts"> & { texts: string };

/** The JSON of a `Handoff`. A `<` in the data could end the element. */
export function encodeHandoff({ texts, ...handoff }: ServerHandoff) {
  const others = JSON.stringify(handoff).slice(1);
  return `{"texts":${texts},${others}`.replace(/</g, "\\u003c");
}

/** The handoff of the open document as it arrived. Null for a page that does not hydrate. */
export const embeddedHandoff = () => document.getElementById(ELEMENT_ID)?.textContent ?? null;

/** The cast is safe: our own server wrote the JSON into this page. */
export const decodeHandoff = (json: string) => JSON.parse(json) as Handoff;
