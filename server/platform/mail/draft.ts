import { fill, type Values } from "./fill";
import words from "./letters.fr.json";

/** A letter in words, before it takes the form of text or HTML. Read from top to bottom. */
export type Draft = {
  subject: string;
  /** What a list of mails shows beside the subject. */
  preheader: string;
  title: string;
  opening: string[];
  facts: Fact[];
  /** The one fact that stands in a frame. */
  framed: Fact | null;
  /** Somebody's own words, as they wrote them. */
  quote: string | null;
  details: string[];
  button: { label: string; url: string };
  closing: string[];
};

export type Fact = { label: string; value: string };

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

/** Left out without a value. */
export type Labelled = [Label, string | null];

type Parts = {
  values: Values;
  /** In the order of reading. */
  facts: Labelled[];
  framed?: [Label, string];
  quote?: string;
  url: string;
};

export function draft(text: Words, { values, facts, framed, quote, url }: Parts): Draft {
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
  };
}

const factOf = (label: Label, value: string): Fact => ({ label: words.labels[label], value });
