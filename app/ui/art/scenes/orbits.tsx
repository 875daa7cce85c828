import { polar, rays } from "../geometry";
import { randomFrom } from "../random";

/** A small sun, its planets on their orbits, one of them with a ring. */
export function Orbits({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const x = random.pick([96, 160, 224]);
  const y = random.pick([84, 100, 116]);
  const orbits = [34, 56, 80, 108, 140, 176].map((radius, index) => ({
    radius,
    size: random.int(2, 5) + (index > 2 ? 2 : 0),
    at: polar(radius, (index % 2 ? 60 : 240) + random.int(-50, 50), x, y),
  }));
  const ringed = orbits[3];
  return (
    <>
      <circle className="dot" cx={x} cy={y} r="9" />
      <path d={rays(13, 21, 30, x, y)} />
      {orbits.map(({ radius, size, at }, index) => (
        <g key={radius}>
          <circle
            className="faint"
            cx={x}
            cy={y}
            r={radius}
            strokeDasharray={index === 2 ? "1 5" : undefined}
          />
          <circle className={index % 2 ? "mask" : "dot"} cx={at[0]} cy={at[1]} r={size} />
        </g>
      ))}
      {ringed && (
        <ellipse
          cx={ringed.at[0]}
          cy={ringed.at[1]}
          rx={ringed.size + 8}
          ry="3.5"
          transform={`rotate(-24 ${ringed.at.join(" ")})`}
        />
      )}
    </>
  );
}
