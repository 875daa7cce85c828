import type { FlashKey } from "~/i18n/flash";
import type { Namespace } from "~/i18n/keys";
import type { SupportType } from "~/contract/ticket-status";

export type ProviderName = "default" | "contact";

/**
 * When React takes over a page: at the first pointer, focus or key in a form, or at once, for a page that
 * changes by itself.
 */
export type Hydration = "whenTouched" | "atOnce";

/** What surrounds a page. `funnel`: no offers and no ways elsewhere beside an order. */
export type PageLayout = "default" | "funnel";

/**
 * A route's declaration, in its `handle` and nowhere else: who may open it, and which texts and
 * script it needs.
 */
export type PageHandle = {
  provider: ProviderName;
  /** Open only to people who are signed in with the provider. */
  secured: boolean;
  /** One of these roles is needed. An empty list means anybody who is signed in. */
  roles: readonly string[];
  support?: SupportType;
  layout: PageLayout;
  /**
   * Whether search engines may show the page. False for what is of one person, is opened by a secret,
   * or says what became of a form.
   */
  indexed: boolean;
  /** Whether the page shows a breadcrumb. */
  breadcrumb: boolean;
  /** Namespaces whose texts a hydrated page needs in the browser. */
  i18n: readonly Namespace[];
  /** False: the page never loads framework script. */
  hydrate: Hydration | false;
  /**
   * The page shows personal data: its address goes to no other site, and no third party is loaded
   * (R-10.5).
   */
  personal: boolean;
  /**
   * The query parameters of a page that is the same for all visitors without a session, but for the key of
   * its form: the host keeps it for them. False: the page is made for each request.
   */
  shared: false | readonly string[];
  /**
   * What a shared page shows of a signed-in person besides the roles. The host keeps one page for all people
   * who have the same roles and for whom this is the same. `favorite`: whether the article of the parameter
   * `uid` is a favorite. False: the page is made for each person.
   */
  perRole: false | readonly "favorite"[];
  /**
   * Third parties may be loaded here, after consent. Such a page has no form with personal data,
   * and its address no secret.
   */
  thirdParties: boolean;
  /** Messages of a post that the page shows itself, at the button that was pressed. */
  ownMessages: readonly FlashKey[];
};

const defaults: PageHandle = {
  provider: "default",
  secured: false,
  roles: [],
  layout: "default",
  indexed: true,
  breadcrumb: true,
  i18n: [],
  hydrate: false,
  personal: false,
  shared: false,
  perRole: false,
  thirdParties: false,
  ownMessages: [],
};

/** Declares a page. The default is a public page that does not hydrate. */
export const declarePage = (declared: Partial<PageHandle> = {}): PageHandle => ({
  ...defaults,
  // Pages with forms take personal data.
  personal: Boolean(declared.hydrate) || declared.secured === true,
  indexed: declared.secured !== true,
  ...declared,
});

/** Whether a page can declare this. */
export const isDeclaration = (name: string): boolean => name === "support" || name in defaults;

export function isPageHandle(handle: unknown): handle is PageHandle {
  return typeof handle === "object" && handle !== null && "hydrate" in handle;
}
