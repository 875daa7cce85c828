import { spot, rays } from "../geometry";
import { randomFrom } from "../random";
import { Ticks } from "../ticks";

/** A compass rose, half of each needle in shadow. */
export function Compass({ seed }: { seed: string }) {
  const random = randomFrom(seed);
  const x = random.pick([100, 160, 220]);
  const turn = random.int(-20, 20);
  const needle = (length: number, at: number) =>
    `M${spot(length, at)}L${spot(12, at + 45)}L0 0ZM${spot(length, at)}L${spot(12, at - 45)}L0 0Z`;
  const shade = (length: number, at: number) => `M${spot(length, at)}L${spot(12, at + 45)}L0 0Z`;
  const wind = [0, 90, 180, 270];
  return (
    <>
      <path
        className="faint"
        d={rays(94, 340, random.pick([11.25, 15, 22.5]), x, 100)}
        strokeWidth="0.7"
      />
      <g transform={`translate(${x} 100) rotate(${turn})`}>
        <circle className="mask" r="88" />
        <circle r="82" strokeWidth="0.8" />
        <Ticks radius={85} length={6} count={72} />
        <circle className="faint" r="46" />
        <path d={wind.map((at) => needle(56, at + 45)).join("")} strokeWidth="0.9" />
        <path d={wind.map((at) => needle(78, at)).join("")} />
        <path className="dot" d={wind.map((at) => shade(78, at) + shade(56, at + 45)).join("")} />
      </g>
    </>
  );
}
