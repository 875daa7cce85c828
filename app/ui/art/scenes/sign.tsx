import { rays } from "../geometry";
import { zodiacGlyphs } from "../glyphs";
import { randomFrom } from "../random";
import { Ticks } from "../ticks";

/** One sign of the zodiac in a graduated ring. */
export function Sign({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const glyph = random.pick(zodiacGlyphs);
  const x = random.pick([104, 160, 216]);
  return (
    <>
      <path className="faint" d={`M0 100H320M${x} 0V200`} strokeDasharray="2 6" />
      <path className="faint" d={rays(88, 150, random.pick([10, 15, 30]), x, 100)} />
      <circle className="mask" cx={x} cy="100" r="82" />
      <circle cx={x} cy="100" r="66" />
      <Ticks x={x} radius={78} length={8} count={60} />
      <circle cx={x} cy="100" r="74" strokeWidth="0.8" />
      <path
        d={glyph}
        transform={`translate(${x - 36} 64) scale(3)`}
        strokeWidth={random.pick([0.9, 1.1])}
      />
    </>
  );
}
