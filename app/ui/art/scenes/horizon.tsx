import { randomFrom } from "../random";
import { Ticks } from "../ticks";

/** The Sun, or the Moon, crossing the horizon. */
export function Horizon({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const x = random.pick([90, 160, 230]);
  const y = random.int(122, 140);
  const radius = random.int(34, 48);
  const reach = random.int(8, 28) * 2;
  const waves = [12, 22, 34, 48, 62].map(
    (depth, index) => `M${x - 130 + index * 22} ${y + depth}h${260 - index * 44}`,
  );
  return (
    <>
      <g transform={`translate(${x} ${y})`}>
        <Ticks radius={radius + 19} length={14} count={36} />
        <Ticks
          className="faint"
          radius={radius + 34 + reach / 2}
          length={reach}
          count={18}
          width={0.04}
        />
        <circle className={random.pick(["dot", "mask"])} r={radius} />
        <circle r={radius + 6} />
      </g>
      <path className="mask" stroke="none" d={`M0 ${y}h320v90H0z`} />
      <path d={`M0 ${y}h320`} />
      <path strokeDasharray="26 7 3 9" d={waves.join("")} />
    </>
  );
}
