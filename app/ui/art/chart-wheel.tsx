import { polar, spot, rays } from "./geometry";
import { zodiacGlyphs } from "./glyphs";
import { Ticks } from "./ticks";

const houses = [0, 26, 58, 90, 124, 154, 180, 206, 238, 270, 304, 334];
const planets = [12, 41, 48, 97, 139, 171, 222, 251, 290, 318];
/** Pairs of planets that look at each other: trines, a square, an opposition. */
const aspects = [
  [12, 139],
  [139, 251],
  [251, 12],
  [41, 222],
  [97, 290],
  [171, 290],
  [48, 318],
] as const;

/** A natal chart: the zodiac drifts slowly around the twelve houses. */
export function ChartWheel() {
  return (
    <svg
      className="drawing wheel"
      viewBox="-200 -200 400 400"
      strokeWidth="1"
      aria-hidden="true"
      focusable="false"
    >
      <Zodiac />
      <circle r="142" />
      <circle className="faint" r="88" />
      <circle className="faint" r="84" />
      <path className="faint" d={houses.map((at) => line(142, at, 88, at)).join("")} />
      <path d={line(160, 90, -160, 90) + line(160, 0, -160, 0)} strokeWidth="1.6" />
      <circle className="mask" r="84" />
      <path d={aspects.map(([from, to]) => line(84, from, 84, to)).join("")} strokeWidth="0.8" />
      {planets.map((at, index) => {
        const [x, y] = polar(index % 2 ? 124 : 108, at);
        return (
          <circle
            key={at}
            className={index % 3 ? "dot" : "mask"}
            cx={x}
            cy={y}
            r={4 + (index % 4)}
          />
        );
      })}
      <path
        className="faint"
        strokeWidth="4"
        d={planets.map((at) => `M${spot(84, at)}h0`).join("")}
      />
    </svg>
  );
}

function Zodiac() {
  return (
    <g className="wheel__drift">
      <circle r="196" />
      <circle className="faint" r="188" />
      <Ticks radius={192} length={8} count={72} width={0.05} />
      <circle r="148" />
      <path d={rays(148, 188, 30)} />
      <Ticks className="faint" radius={145} length={6} count={36} width={0.04} />
      {zodiacGlyphs.map((glyph, index) => (
        <path
          key={glyph}
          d={glyph}
          strokeWidth="1.5"
          transform={`rotate(${index * 30 + 15}) translate(-12 -180)`}
        />
      ))}
    </g>
  );
}

function line(from: number, fromAt: number, to: number, toAt: number) {
  return `M${spot(from, fromAt)}L${spot(to, toAt)}`;
}
