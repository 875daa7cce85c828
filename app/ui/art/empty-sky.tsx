import { sparkle } from "./geometry";

/** A constellation that is still to be drawn. */
export function EmptySky() {
  return (
    <svg
      className="drawing"
      viewBox="0 0 140 80"
      strokeWidth="1.4"
      aria-hidden="true"
      focusable="false"
    >
      <path strokeDasharray="1 5" d="M14 58 44 26 74 50 104 18 126 42" />
      {["14 58", "44 26", "104 18", "126 42"].map((point) => (
        <path key={point} strokeWidth="6" d={`M${point}h0`} />
      ))}
      <circle className="mask" cx="74" cy="50" r="13" strokeDasharray="2 4" />
      <path className="dot" d={sparkle(74, 50, 8)} />
    </svg>
  );
}
