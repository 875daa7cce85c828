import { randomFrom } from "../random";
import { Ticks } from "../ticks";

/** An armillary sphere: meridians, equator and the band of the zodiac. */
export function Sphere({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const x = random.pick([110, 160, 210]);
  const tilt = random.int(-34, -12);
  const band = random.int(16, 24);
  return (
    <>
      <path className="faint" d={`M0 100H320M${x} 0V200`} strokeDasharray="2 6" />
      <circle className="mask" cx={x} cy="100" r="78" />
      <Ticks x={x} radius={81} length={6} count={60} />
      <circle cx={x} cy="100" r="84" strokeWidth="0.8" />
      <g transform={`rotate(${tilt} ${x} 100)`}>
        <path d={`M${x} 2v196`} />
        <ellipse className="faint" cx={x} cy="100" rx="28" ry="78" />
        <ellipse className="faint" cx={x} cy="100" rx="56" ry="78" />
        <ellipse cx={x} cy="100" rx="78" ry={band} />
        <ellipse className="faint" cx={x} cy="58" rx="65" ry={band - 4} />
        <ellipse className="faint" cx={x} cy="142" rx="65" ry={band - 4} />
        <g transform={`rotate(24 ${x} 100)`}>
          <ellipse cx={x} cy="96" rx="77" ry={band + 4} strokeWidth="1.8" />
          <ellipse cx={x} cy="104" rx="77" ry={band + 4} strokeWidth="1.8" strokeDasharray="1 6" />
        </g>
        <circle className="dot" cx={x} cy="100" r={random.int(7, 11)} />
      </g>
    </>
  );
}
