import { describe, expect, it } from "vitest";
import { filesBelow, read } from "./sources";

/**
 * Titles of regulated professions, as a person may call themselves (code de la santé publique, L4381-1 and the
 * following; law of 25 July 1985, article 44, for psychologists; law of 9 August 2004, article 52, for
 * psychotherapists). A demonstration must not lend them to people who do not exist.
 */
const TITLES = [
  "avocat",
  "chiropracteur",
  "dentiste",
  "diététicien",
  "docteur",
  "ergothérapeute",
  "infirmi[eè]r",
  "kinésithérapeute",
  "masseur",
  "médecin",
  "neurologue",
  "notaire",
  "orthophoniste",
  "orthoptiste",
  "ostéopathe",
  "pédiatre",
  "pédopsychiatre",
  "pharmacien",
  "podologue",
  "psychanalyste",
  "psychiatre",
  "psychologue",
  "psychomotricien",
  "psychothérapeute",
  "sage-femme",
  "sophrologue",
  "thérapeute",
  "vétérinaire",
];
const TITLE = new RegExp(`(?<!\\p{L})(?:${TITLES.join("|")}|dr\\.?(?= ))`, "giu");

const titlesIn = (text: string) => text.match(TITLE) ?? [];

/** How an article's writer speaks of what they are: `Je suis psychologue`, `en tant que médecin`. */
const OWN =
  /(?<!\p{L})(?:je (?:suis|fus|reste)|j[’']étais|en tant que|mon métier d|ma formation d|diplômée? (?:de|en|d[’'])|exerç\p{L}+ comme|mes patient|mes consultations?)[^.!?\n]{0,60}/giu;

const authors = filesBelow("server/content/authors", /\.md$/);
const articles = filesBelow("server/content/articles", /\.md$/);

describe("a demonstration author", () => {
  it.each(authors)("carries no protected title: %s", (file) => {
    expect(titlesIn(read(file))).toEqual([]);
  });

  it.each(articles)("claims none in an article: %s", (file) => {
    const own = [...read(file).matchAll(OWN)].flatMap(([words]) => titlesIn(words));
    expect(own).toEqual([]);
  });

  it("would be caught with one, in either gender", () => {
    for (const title of [
      "Psychologue clinicienne",
      "Dr Vasseur",
      "ancienne infirmière",
      "diététicienne",
      "ex-kinésithérapeute",
      "Ostéopathe D.O.",
    ])
      expect(titlesIn(title), title).toHaveLength(1);
    expect(titlesIn("équipes hospitalières, droit, coach, astrologue")).toEqual([]);
  });
});
