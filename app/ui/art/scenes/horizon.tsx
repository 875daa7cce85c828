import { rays } from "../geometry";
import { randomFrom } from "../random";

/** The Sun, or the Moon, crossing the horizon. */
export function Horizon({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const x = random.pick([90, 160, 230]);
  const y = random.int(122, 140);
  const radius = random.int(34, 48);
  const waves = [12, 22, 34, 48, 62].map(
    (depth, index) => `M${x - 130 + index * 22} ${y + depth}h${260 - index * 44}`,
  );
  return (
    <>
      <path d={rays(radius + 12, radius + 26, 10, x, y)} />
      <path className="faint" d={rays(radius + 34, radius + random.int(50, 90), 20, x, y)} />
      <circle className={random.pick(["dot", "mask"])} cx={x} cy={y} r={radius} />
      <circle cx={x} cy={y} r={radius + 6} />
      <path className="mask" stroke="none" d={`M0 ${y}h320v90H0z`} />
      <path d={`M0 ${y}h320`} />
      <path strokeDasharray="26 7 3 9" d={waves.join("")} />
    </>
  );
}
