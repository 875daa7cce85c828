/** What a cover shows. `sign`: the place of the sign in the zodiac, in the scenes that show one. */
export type CoverScene = { name: SceneName; sign?: number };

export type SceneName = (typeof SCENES)[Topic][number];

type Topic = "sign" | "moon" | "planet" | "sun" | "chart" | "house" | "other";

/** What tells of an article what it is about: its title, and the uids of its tags and category. */
type Drawn = { title: string; tags: readonly string[]; category: string };

/**
 * The scenes of a topic, the most fitting first: one more than a card has neighbours. The last one is kept for
 * the first card of a later page (see `chooseScenes`).
 */
const SCENES = {
  sign: ["signInRing", "signRising", "signInWheel", "signInSky"],
  moon: ["moons", "horizon", "sphere", "comet"],
  planet: ["orbits", "sphere", "constellation", "comet"],
  sun: ["horizon", "compass", "orbits", "comet"],
  chart: ["sphere", "constellation", "compass", "comet"],
  house: ["compass", "sphere", "horizon", "comet"],
  other: ["constellation", "compass", "horizon", "comet"],
} as const satisfies Record<Topic, readonly string[]>;

/** From Aries to Pisces, without accents. */
const SIGNS = [
  "belier",
  "taureau",
  "gemeaux",
  "cancer",
  "lion",
  "vierge",
  "balance",
  "scorpion",
  "sagittaire",
  "capricorne",
  "verseau",
  "poissons",
];

/** Words of titles, tags and categories, without accents. */
const TOPIC_WORDS: readonly [Topic, string][] = [
  ["moon", "lune lunes lunaire lunaires lunaison lunaisons eclipse eclipses cycle cycles"],
  ["planet", "planete planetes mercure venus mars jupiter saturne uranus neptune pluton transits"],
  ["sun", "soleil solaire solaires ascendant solstice equinoxe saison saisons"],
  ["chart", "theme natal natale naissance aspects"],
  ["house", "maison maisons"],
];
const topics = new Map(
  TOPIC_WORDS.flatMap(([topic, words]) => words.split(" ").map((word) => [word, topic])),
);

/** The scene of an article that stands alone. */
export function sceneOf(article: Drawn): CoverScene {
  const [first] = scenesOf(article);
  return first;
}

export type PlaceInList = {
  /** Another page of the same list comes before, or after. */
  isContinued?: boolean;
  hasNextPage?: boolean;
};

/**
 * The scenes of a list, in which neighbours differ: each card has the most fitting scene of its topic that the
 * three cards before it, one row of the grid, do not show. The cards of two pages do not know each other, and
 * the reader may see one below the other: the last scene of a topic begins a later page and ends no page.
 */
export function chooseScenes(articles: readonly Drawn[], place: PlaceInList = {}): CoverScene[] {
  const chosen: CoverScene[] = [];
  for (const [index, article] of articles.entries()) {
    const scenes = scenesOf(article);
    const last = scenes.at(-1);
    const isLast = place.hasNextPage && index === articles.length - 1;
    const fitting = isLast ? scenes.slice(0, -1) : scenes;
    const differs = (count: number) => (scene: CoverScene) =>
      chosen.slice(-count).every(({ name }) => name !== scene.name);
    const begins = place.isContinued && index === 0 && last;
    chosen.push(begins || (fitting.find(differs(3)) ?? fitting.find(differs(1)) ?? scenes[0]));
  }
  return chosen;
}

function scenesOf({ title, tags, category }: Drawn): [CoverScene, ...CoverScene[]] {
  const words = [title, ...tags, category].flatMap(wordsOf);
  const sign = SIGNS.indexOf(words[0] ?? "");
  const topic = sign < 0 ? words.map((word) => topics.get(word)).find(Boolean) : "sign";
  const [first, ...others] = SCENES[topic ?? "other"];
  const sceneNamed = (name: SceneName) => (sign < 0 ? { name } : { name, sign });
  return [sceneNamed(first), ...others.map(sceneNamed)];
}

const wordsOf = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
