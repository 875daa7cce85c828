import type { Namespace } from "~/i18n/keys";
import type { SupportType } from "~/contract/ticket-status";

export type ProviderName = "default" | "contact";

/**
 * What a route declares about itself, in its `handle` and nowhere else:
 * who may enter, which catalogues and script it needs, how it is named in the breadcrumb.
 */
export type PageHandle = {
  provider: ProviderName;
  /** Only for people signed in with the provider. */
  secured: boolean;
  /** At least one of them is needed; none asked means anybody signed in. */
  roles: readonly string[];
  support?: SupportType;
  /** Whether the trail stands above the page. */
  breadcrumb: boolean;
  /** Namespaces whose texts a hydrated page needs in the browser. */
  i18n: readonly Namespace[];
  /** False: the page ships no framework script. */
  hydrate: boolean;
  /** Of a person: its address goes to no other site, and no third party is loaded. */
  personal: boolean;
};

const defaults: PageHandle = {
  provider: "default",
  secured: false,
  roles: [],
  breadcrumb: true,
  i18n: [],
  hydrate: false,
  personal: false,
};

/** A public page that does not hydrate, but for what is told. */
export const declarePage = (declared: Partial<PageHandle> = {}): PageHandle => ({
  ...defaults,
  // Who is asked for something is asked in confidence.
  personal: declared.hydrate === true || declared.secured === true,
  ...declared,
});

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === "object" && handle !== null && "hydrate" in handle;
}
