import { rays, sparkle } from "./geometry";
import { randomFrom } from "./random";

const frames = [rays(42, 46, 6), rays(41, 46, 10), rays(44, 46, 3)] as const;

/**
 * Each drawn in a circle of radius 34: crescent, sun, ringed planet, peak, wave, feather,
 * hourglass, shell.
 */
const emblems = [
  <path
    key="crescent"
    className="dot"
    d={`M8-26a27 27 0 1 0 14 42A22 22 0 1 1 8-26z${sparkle(14, -6, 10)}`}
  />,
  <g key="sun">
    <circle className="dot" r="11" />
    <path d={rays(15, 30, 30) + rays(15, 23, 10)} />
  </g>,
  <g key="planet">
    <circle className="dot" r="15" />
    <ellipse rx="31" ry="8" transform="rotate(-22)" strokeWidth="2" />
    <path className="dot" d={sparkle(20, -22, 6)} />
  </g>,
  <g key="peak">
    <path d="M-32 20-10-14 2 4 9-6 32 20zM-17-3l7 5 6-4M-26 26h52" />
    <path className="dot" d={sparkle(12, -22, 9)} />
  </g>,
  <g key="wave">
    <path d="M-32 6c8-8 13-8 21 0s13 8 21 0 13-8 21 0M-28 15c8-7 12-7 19 0s12 7 19 0 12-7 17 0M-20 24c6-5 9-5 14 0s9 5 14 0 9-5 12 0" />
    <circle className="dot" cy="-15" r="10" />
  </g>,
  <path
    key="feather"
    d="M-20 28C-12 4 2-18 26-28 28-6 12 12-12 12M-12 12C-4 0 8-12 18-20M-2 0l13 0M6-9l12-1"
    strokeWidth="1.8"
  />,
  <g key="glass">
    <path d="M-18-28h36M-18 28h36M-14-28c0 16 12 18 12 28s-12 12-12 28M14-28C14-12 2-10 2 0s12 12 12 28" />
    <path
      className="dot"
      d="M-10 28c1-8 6-11 10-12 4 1 9 4 10 12zM-8-14H8C6-8 1-6 0-2c-1-4-6-6-8-12z"
    />
  </g>,
  <path
    key="shell"
    d="M4 2a5 5 0 1 0-7 5c6 4 14-1 14-8 0-9-9-14-17-10-11 5-12 19-4 27 11 9 27 4 32-9 5-15-5-30-21-31"
    strokeWidth="1.8"
  />,
] as const;

/** A coach’s seal, drawn from the uid: an emblem in a graduated ring, never a face. */
export function CoachPortrait({ uid }: { uid: string }) {
  // Another seed than the cover of an article with the same uid.
  const random = randomFrom(`z${uid}`);
  return (
    <svg
      className="drawing seal"
      viewBox="-50 -50 100 100"
      strokeWidth="1.4"
      aria-hidden="true"
      focusable="false"
    >
      <circle className="seal__ground" r="48.5" strokeWidth="1" />
      <circle className="faint" r="39" strokeWidth="0.8" />
      <path className="faint" d={random.pick(frames)} strokeWidth="0.9" />
      <g transform={`rotate(${random.int(-6, 6)}) scale(0.95)`}>{random.pick(emblems)}</g>
    </svg>
  );
}
