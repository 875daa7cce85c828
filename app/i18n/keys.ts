import type account from "../locales/fr/account.json";
import type article from "../locales/fr/article.json";
import type articles from "../locales/fr/articles.json";
import type cancellation from "../locales/fr/cancellation.json";
import type card from "../locales/fr/card.json";
import type coaching from "../locales/fr/coaching.json";
import type contact from "../locales/fr/contact.json";
import type data from "../locales/fr/data.json";
import type debit from "../locales/fr/debit.json";
import type declaration from "../locales/fr/declaration.json";
import type desk from "../locales/fr/desk.json";
import type email from "../locales/fr/email.json";
import type error from "../locales/fr/error.json";
import type favorites from "../locales/fr/favorites.json";
import type forms from "../locales/fr/forms.json";
import type home from "../locales/fr/home.json";
import type links from "../locales/fr/links.json";
import type login from "../locales/fr/login.json";
import type logout from "../locales/fr/logout.json";
import type offer from "../locales/fr/offer.json";
import type opening from "../locales/fr/opening.json";
import type payment from "../locales/fr/payment.json";
import type payments from "../locales/fr/payments.json";
import type preferences from "../locales/fr/preferences.json";
import type registration from "../locales/fr/registration.json";
import type release from "../locales/fr/release.json";
import type reset from "../locales/fr/reset.json";
import type flash from "../locales/fr/flash.json";
import type site from "../locales/fr/site.json";
import type siteMap from "../locales/fr/siteMap.json";
import type subscription from "../locales/fr/subscription.json";
import type support from "../locales/fr/support.json";
import type terms from "../locales/fr/terms.json";
import type ui from "../locales/fr/ui.json";
import type withdrawal from "../locales/fr/withdrawal.json";

/** Types of the catalogue files. A key without a text does not compile. */
type French = {
  account: typeof account;
  article: typeof article;
  articles: typeof articles;
  cancellation: typeof cancellation;
  card: typeof card;
  coaching: typeof coaching;
  contact: typeof contact;
  data: typeof data;
  debit: typeof debit;
  declaration: typeof declaration;
  desk: typeof desk;
  email: typeof email;
  error: typeof error;
  favorites: typeof favorites;
  forms: typeof forms;
  home: typeof home;
  links: typeof links;
  login: typeof login;
  logout: typeof logout;
  offer: typeof offer;
  opening: typeof opening;
  payment: typeof payment;
  payments: typeof payments;
  preferences: typeof preferences;
  registration: typeof registration;
  release: typeof release;
  reset: typeof reset;
  flash: typeof flash;
  site: typeof site;
  siteMap: typeof siteMap;
  subscription: typeof subscription;
  support: typeof support;
  terms: typeof terms;
  ui: typeof ui;
  withdrawal: typeof withdrawal;
};

export type Namespace = keyof French;

/** Keys of a catalogue: `filter.all`, and `messages` for a text with plural forms. */
export type Key<Name extends Namespace> = KeyOf<French[Name]>;

/** Keys within a group: `Within<"site", "breadcrumb">` contains `home`. */
export type Within<Name extends Namespace, Group extends string> =
  Key<Name> extends infer Full ? (Full extends `${Group}.${infer Rest}` ? Rest : never) : never;

type KeyOf<Texts> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? Singular<Name>
    : `${Name}.${KeyOf<Texts[Name]>}`;
}[keyof Texts & string];

type Singular<Name extends string> = Name extends `${infer Base}_${Intl.LDMLPluralRule}`
  ? Base
  : Name;
