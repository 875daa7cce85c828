/** French number words as the published texts write them. */
export const NUMBERS: Record<string, number> = {
  un: 1,
  une: 1,
  deux: 2,
  trois: 3,
  quatre: 4,
  cinq: 5,
  six: 6,
  sept: 7,
  huit: 8,
  neuf: 9,
  dix: 10,
  douze: 12,
  treize: 13,
  quatorze: 14,
  quinze: 15,
  vingt: 20,
  trente: 30,
  "quatre-vingt-dix": 90,
  "cent vingt": 120,
};

/** A text with usual spaces in the place of those that do not break. */
export const plain = (text: string) => text.replaceAll("\u00a0", " ").replaceAll("\u202f", " ");

const NUMBER = `(?:\\d+|${Object.keys(NUMBERS).join("|")})`;
const BETWEEN = ", | puis | ou | et | à ";
const DURATION = new RegExp(
  `(?<![\\p{L}\\d-])(${NUMBER}(?:(?:${BETWEEN})${NUMBER})*) (jour|mois|an|semaine|minute|heure)s?(?!\\p{L})`,
  "giu",
);

/**
 * The durations of a text in their order: `sept jours` counts 7 of the unit `jour`, `un, trois puis cinq
 * jours` 1, 3 and 5.
 */
export const durationsIn = (text: string) =>
  [...plain(text).matchAll(DURATION)].map(({ 1: numbers = "", 2: unit = "", index }) => ({
    counts: numbers
      .split(new RegExp(BETWEEN))
      .map((word) => NUMBERS[word.toLowerCase()] ?? Number(word)),
    unit: unit.toLowerCase(),
    index,
  }));

const AMOUNT = new RegExp(
  `(?<![\\p{L}\\d,-])(\\d[\\d ]*(?:,\\d\\d)?|${Object.keys(NUMBERS).join("|")}) (?:€|euros?(?!\\p{L}))`,
  "giu",
);

/** The amounts of a text in cents, in their order: `1 000 €` is `100000`. */
export const amountsIn = (text: string): number[] =>
  [...plain(text).matchAll(AMOUNT)].map(
    ([, number = ""]) =>
      100 * (NUMBERS[number.toLowerCase()] ?? Number(number.replaceAll(" ", "").replace(",", "."))),
  );
