import type { randomOf } from "./random";

const PARTS = [
  ...["/", "/", "/", "//", "\\", "/\\", "account", "article", "coaching", "login", "registration"],
  ...[".", "..", "/../", "%2e", "%2E%2e", "%2f", "%5c", "%00", "%0a", "%25%32%66", "%", "%zz"],
  ...["%252f", "%255c", "%2500", "%250d%250a", "%c0%af", "%ef%bc%8f", "%e2%80%8b", "%u2215"],
  ...["https:", "http://", "data:", "javascript:", "//mal.example", "mal.example", "@", ":", ":80"],
  ...["user:pass@mal.example", "@mal.example:443", "vbscript:", "file:///", "blob:", "//[::1]"],
  ...["?", "&a=b", "#", "=", ";", "\t", "\n", "\r", "\u0000", " ", "\u00a0", "\u2028", "\ufeff"],
  ...["／", "＼", "．", "⁄", "∕", "⧵", "﹨", "。", "\u200b", "\u202e", "é", "🌙", "\ud800"],
  "a".repeat(500),
];

/** Mostly something that looks like the zone, with dirt before, within and behind. */
export function hostilePath(random: ReturnType<typeof randomOf>): string {
  const dirt = (most: number) => random.several(PARTS, most).join("");
  const base = random.one(["/account", "/article/", "/coaching", "/login", "/", ""]);
  const path = random.chance() ? base + dirt(4) : dirt(2) + base + dirt(3);
  return random.below(2_000) === 0 ? path + "/a".repeat(30_000) : path;
}
