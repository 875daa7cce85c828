import { fill, type Values } from "./fill";
import words from "./letters.fr.json";

/** The content of a letter in reading order, before it is rendered as text and HTML. */
export type Draft = {
  subject: string;
  /** Text that mail programs show beside the subject. */
  preheader: string;
  title: string;
  opening: string[];
  facts: Fact[];
  /** A fact shown in a frame. */
  framed: Fact | null;
  /** A person's own words. */
  quote: string | null;
  details: string[];
  button: { label: string; url: string };
  closing: string[];
  /** Documents that follow the letter in full. */
  annexes: Annex[];
};

/** `html` must be safe already. */
export type Annex = { title: string; html: string; text: string };

/** `isLink`: an address of the site. What people typed never is one. */
export type Fact = { label: string; value: string; isLink: boolean };

type Words = {
  subject: string;
  preheader: string;
  title: string;
  opening: string[];
  details: string[];
  button: string;
  closing: string[];
};

type Label = keyof typeof words.labels;

/** A labelled fact, omitted when its value is null. */
export type Labelled = [Label, string | null];

type Parts = {
  values: Values;
  /** In reading order. */
  facts: Labelled[];
  framed?: [Label, string];
  quote?: string;
  url: string;
};

export function createDraft(text: Words, { values, facts, framed, quote, url }: Parts): Draft {
  const filled = (line: string) => fill(line, values);
  return {
    subject: filled(text.subject),
    preheader: filled(text.preheader),
    title: filled(text.title),
    opening: text.opening.map(filled),
    facts: facts.flatMap(([label, value]) => (value === null ? [] : [factOf(label, value)])),
    framed: framed ? factOf(...framed) : null,
    quote: quote ?? null,
    details: text.details.map(filled),
    button: { label: filled(text.button), url },
    closing: text.closing.map(filled),
    annexes: [],
  };
}

const factOf = (label: Label, value: string): Fact => ({
  label: words.labels[label],
  value,
  // While the site's address is not known, the value is no URL.
  isLink: LINKS.includes(label) && value.startsWith("http"),
});

const LINKS: readonly Label[] = ["thread", "request", "desk", "withdrawAt", "cancelAt"];
