import { rays, sparkle } from "../geometry";
import { zodiacGlyphs } from "../glyphs";
import { randomFrom } from "../random";
import { Ticks } from "../ticks";
import { SkyGrid } from "./sky-grid";

/** `sign`: its place in the zodiac. */
type SignProps = { seed: string; sign: number };

/** A sign of the zodiac in a graduated ring. */
export function SignInRing({ seed, sign }: SignProps) {
  const random = randomFrom(seed);
  const x = random.pick([104, 160, 216]);
  return (
    <>
      <path className="faint" d={`M0 100H320M${x} 0V200`} strokeDasharray="2 6" />
      <Ticks
        className="faint"
        x={x}
        radius={119}
        length={62}
        count={random.pick([36, 24])}
        width={0.05}
      />
      <circle className="mask" cx={x} cy="100" r="82" />
      <circle cx={x} cy="100" r="66" />
      <Ticks x={x} radius={78} length={8} count={60} />
      <Glyph sign={sign} x={x} y={100} scale={3} />
    </>
  );
}

/** A sign as large as the sky, between its stars. */
export function SignInSky({ seed, sign }: SignProps) {
  const random = randomFrom(seed);
  const x = random.pick([120, 160, 200]);
  const stars = [x - 96, x + 92].map((at) => sparkle(at, random.int(40, 160), random.int(8, 12)));
  return (
    <>
      <SkyGrid pole={random.int(40, 280)} />
      <circle className="mask" stroke="none" cx={x} cy="100" r="78" />
      <Glyph sign={sign} x={x} y={100} scale={5} />
      <path className="dot" d={stars.join("")} />
    </>
  );
}

/** A sign in the disc that rises over the horizon. */
export function SignRising({ seed, sign }: SignProps) {
  const random = randomFrom(seed);
  const x = random.pick([104, 160, 216]);
  const waves = [166, 174, 184].map(
    (y, index) => `M${x - 130 + index * 30} ${y}h${260 - index * 60}`,
  );
  return (
    <>
      <Ticks
        className="faint"
        x={x}
        radius={97}
        length={30}
        count={random.pick([24, 36])}
        width={0.08}
      />
      <circle className="mask" cx={x} cy="100" r="74" />
      <path className="mask" stroke="none" d="M0 156h320v44H0z" />
      <path d="M0 156h320" />
      <path strokeDasharray="26 7 3 9" d={waves.join("")} />
      <Glyph sign={sign} x={x} y={94} scale={3.5} />
    </>
  );
}

/** A sign at the top of the zodiac wheel. */
export function SignInWheel({ seed, sign }: SignProps) {
  const random = randomFrom(seed);
  const x = random.pick([120, 160, 200]);
  return (
    <g transform={`translate(${x} 250)`}>
      <circle className="mask" r="200" stroke="none" />
      <circle r="190" />
      <Ticks radius={195} length={10} count={180} />
      <path d={rays(98, 190, 30)} transform="rotate(15)" />
      <circle r="98" />
      <Ticks className="faint" radius={49} length={98} count={24} width={0.08} />
      <Glyph sign={sign} x={0} y={-144} scale={2.6} />
    </g>
  );
}

type GlyphProps = { sign: number; x: number; y: number; scale: number };

/** The glyph around its middle. */
function Glyph({ sign, x, y, scale }: GlyphProps) {
  return (
    <path
      d={zodiacGlyphs[sign]}
      transform={`translate(${x - 12 * scale} ${y - 12 * scale}) scale(${scale})`}
      strokeWidth="1"
    />
  );
}
