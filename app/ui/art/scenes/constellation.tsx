import { sparkle } from "../geometry";
import { randomFrom, type Random } from "../random";
import { SkyGrid } from "./sky-grid";

/** Stars joined by a line over a grid of right ascension and declination. */
export function Constellation({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const points = walk(random);
  const fork = points[random.int(1, 2)] ?? { x: 100, y: 100, size: 3 };
  const end = {
    x: fork.x + random.int(-14, 22),
    y: fork.y + (fork.y > 100 ? -1 : 1) * random.int(48, 66),
    size: 3,
  };
  const alpha = points[random.int(3, points.length - 2)] ?? fork;
  const path = points.map(({ x, y }) => `${x} ${y}`).join("L");
  return (
    <>
      <SkyGrid pole={random.int(40, 280)} />
      <path d={`M${path}M${fork.x} ${fork.y}L${end.x} ${end.y}`} />
      {[2, 3, 4].map((radius) => (
        <path key={radius} strokeWidth={radius * 2} d={starsOf([...points, end], radius)} />
      ))}
      <circle className="mask" cx={alpha.x} cy={alpha.y} r="13" />
      <path className="dot" d={sparkle(alpha.x, alpha.y, 16)} />
    </>
  );
}

type Star = { x: number; y: number; size: number };

function starsOf(stars: Star[], size: number) {
  return stars.flatMap((star) => (star.size === size ? `M${star.x} ${star.y}h0` : [])).join("");
}

/** Stars from left to right. Each step up or down is small enough that no spike appears. */
function walk(random: Random) {
  const count = random.int(6, 8);
  let y = random.int(60, 140);
  return Array.from({ length: count }, (_, index) => {
    const step = random.int(16, 46) * random.pick([-1, 1]);
    y += y + step < 36 || y + step > 164 ? -step : step;
    const x = Math.round(44 + (index * 232) / (count - 1)) + random.int(-7, 7);
    return { x, y, size: random.int(2, 4) };
  });
}
