import { randomFrom } from "../random";

const phases = [-0.8, -0.4, 0, 0.4, 0.8];

/** The phases of the Moon along the path of a night. */
export function Moons({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const lean = random.int(-36, 36);
  const hang = random.pick([1, -1]);
  const at = (y: number) => 100 - hang * (100 - y);
  const curve = (drop: number) =>
    `M-10 ${at(150 + lean) + drop}Q160 ${at(10 - lean) + drop} 330 ${at(150 - lean) + drop}`;
  const sizes = random.pick([
    [17, 21, 30, 21, 17],
    [14, 19, 25, 31, 24],
    [24, 31, 25, 19, 14],
  ]);
  return (
    <>
      <path className="faint" d={curve(0)} />
      <path className="faint" strokeDasharray="1 6" d={curve(30) + curve(-30)} />
      {phases.map((phase, index) => {
        const t = 0.1 + index * 0.2;
        const y =
          (1 - t) ** 2 * (150 + lean) + 2 * t * (1 - t) * (10 - lean) + t * t * (150 - lean);
        const x = Math.round(-10 + 340 * t);
        return (
          <Moon key={phase} x={x} y={Math.round(at(y))} radius={sizes[index] ?? 20} phase={phase} />
        );
      })}
    </>
  );
}

type MoonProps = { x: number; y: number; radius: number; phase: number };

function Moon({ x, y, radius, phase }: MoonProps) {
  const terminator = Math.round(radius * (1 - Math.abs(phase) * 1.4));
  const side = phase < 0 ? 1 : 0;
  const bulge = terminator > 0 === phase < 0 ? 1 : 0;
  const half = `M${x} ${y - radius}a${radius} ${radius} 0 0 ${side} 0 ${2 * radius}`;
  const lit = `${half}a${Math.abs(terminator)} ${radius} 0 0 ${bulge} 0 ${-2 * radius}`;
  return (
    <>
      <circle className="mask" cx={x} cy={y} r={radius} />
      {phase === 0 ? (
        <circle className="dot" cx={x} cy={y} r={radius - 5} />
      ) : (
        <path className="dot" d={lit} />
      )}
    </>
  );
}
