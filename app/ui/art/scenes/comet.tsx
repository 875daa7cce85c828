import { rays } from "../geometry";
import { randomFrom } from "../random";

/** A comet and the long curves of its tail. */
export function Comet({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const flip = random.pick([1, -1]);
  const y = random.int(58, 84);
  const spread = random.int(16, 30);
  const tail = [-2, -1, 0, 1, 2].map(
    (line) => `M100 ${y + line * 5}Q210 ${y + 10 + line * spread} 330 ${150 + line * spread}`,
  );
  return (
    <g transform={flip === 1 ? undefined : "matrix(-1 0 0 1 320 0)"}>
      <path
        className="faint"
        strokeDasharray="2 7"
        d={`M-10 ${y + 96}Q110 ${y - 60} 330 ${y - 40}`}
      />
      <path d={tail.join("")} />
      <path
        className="faint"
        strokeDasharray="10 6 2 6"
        d={[-1, 0, 1]
          .map(
            (line) =>
              `M108 ${y + line * 9}Q210 ${y + 24 + line * spread} 300 ${158 + line * spread}`,
          )
          .join("")}
      />
      <path d={rays(20, 27, 15, 92, y)} strokeWidth="0.9" />
      <circle className="mask" cx="92" cy={y} r="15" />
      <circle className="dot" cx="92" cy={y} r="8" />
    </g>
  );
}
