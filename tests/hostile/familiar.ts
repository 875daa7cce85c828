import fc from "fast-check";
import type { Familiar } from "./from-schema";

/** Placeholders. The roster replaces each by the uid or secret of a real account, ticket and so on. */
export const PLACES = [
  "own",
  "ownEmail",
  "ownTicket",
  "ownDiscussion",
  "ownSession",
  "ownPayment",
  "other",
  "otherEmail",
  "otherTicket",
  "otherDiscussion",
  "otherSession",
  "otherPayment",
  "bank",
  "supportToken",
  "denseTicket",
  "denseMessage",
] as const;
export type Place = (typeof PLACES)[number];

export const place = (name: Place) => `~${name}~`;

const texts = (...values: string[]) => fc.constantFrom(...values);
const of = (...values: unknown[]) => fc.constantFrom(...values);

const article = texts(
  "ascendant-porte-d-entree",
  "lire-son-theme-natal",
  "rituel-du-dimanche-soir",
);
const ticket = texts(
  place("ownTicket"),
  place("otherTicket"),
  place("ownDiscussion"),
  place("otherDiscussion"),
  place("denseTicket"),
);
const newEmail = fc.integer({ min: 1, max: 99_999 }).map((n) => `personne.${n}@exemple.fr`);
const email = fc.oneof(
  texts(place("ownEmail"), place("otherEmail"), "nobody@exemple.fr"),
  newEmail,
);
const password = of("une-orbite-paisible", "un autre mot", "au hasard");
const key = fc.oneof(
  fc.uuid(),
  of("the-same-key-for-all", `${"a".repeat(128)}`, "00000000-0000-0000-0000-000000000000"),
);
const words = of("Bonjour", "Une question sur mon thème", "Première ligne\nDeuxième ligne", "🌙");
const token = of("a".repeat(43), "none", place("supportToken"));

/** Plausible values by name of a field, for calls and forms. */
export const familiar: Familiar = {
  email,
  identifier: email,
  password,
  passwordConfirmation: password,
  currentPassword: password,
  idempotencyKey: key,
  "idempotency-key": key,
  token,
  "support-authorization": token.map((secret) => `Contact ${String(secret)}`),
  uid: of(place("own"), place("other")),
  session: of("current", place("ownSession"), place("otherSession")),
  message: words,
  title: words,
  subject: words,
  query: words,
  name: of("Léa", "Zoé Martin"),
  firstName: of("Léa"),
  lastName: of("Martin"),
  firstname: of("Léa"),
  lastname: of("Martin"),
  cardholder: of("Léa Martin", ""),
  cardNumber: of("4242 4242 4242 4242", "4000 0000 0100 0001"),
  cvv: of("123"),
  number: of("4242424242424242", "4000000001000001", "4000000002000000"),
  code: of("123"),
  expiry: of("12/38", "1238"),
  month: of(12, "12"),
  year: of(2038, "2038"),
  formula: of("vip-mensuel", "unknown"),
  trafficToken: of("unknown", "essai"),
  terms: of("on"),
  confirm: of("on"),
  internal: of("on", true),
  version: of("1", 1, 2),
  assignee: of(place("own"), place("other"), "me", "none", null),
  reference: of("A-1", place("own")),
  date: of("2026-12-31"),
  path: of("/ancien", "/blog/1"),
  until: fc.uuid(),
  since: fc.oneof(fc.uuid(), texts(place("denseMessage"))),
  platform: of("partner"),
  category: of("cycles", "signes"),
  author: of("hugo-lemaire"),
  ids: article,
  tag: of("lune"),
  tags: of("lune", "mars"),
  length: of("1", "10", "100"),
};

/** Values for `{uid}` in a path, by the beginning of that path. */
export const uidsBelow: [string, fc.Arbitrary<string>][] = [
  ["/users/", texts(place("own"), place("own"), place("other"))],
  ["/content/articles/", article],
  ["/content/authors/", texts("hugo-lemaire")],
  ["/content/categories/", texts("cycles")],
  ["/content/tags/", texts("lune")],
  ["/content/pages/", texts("about")],
  ["/content/medias/", texts("orbites")],
  ["/formulas/", texts("vip-mensuel")],
  ["/subscriptions/payments/", texts(place("ownPayment"), place("otherPayment"))],
  ["/support/", ticket],
  ["/desk/", ticket],
];
