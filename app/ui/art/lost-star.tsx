import { rays, sparkle } from "./geometry";

const stars = ["150 110", "232 132", "290 166", "372 262", "486 268", "512 178"];
const small =
  "M60 60h0M98 210h0M44 330h0M180 300h0M250 372h0M330 60h0M430 96h0M452 350h0M560 60h0M600 240h0M640 120h0M720 70h0M760 190h0M748 392h0M120 390h0M548 300h0";

/** Signature image of the 404 page: a star has left its constellation. */
export function LostStar() {
  return (
    <svg
      className="drawing lost-star"
      viewBox="0 0 800 420"
      strokeWidth="1.5"
      aria-hidden="true"
      focusable="false"
    >
      <Grid />
      <path className="faint" strokeWidth="3" d={small} />
      <path className="dot" d={sparkle(96, 270, 8) + sparkle(590, 150, 7) + sparkle(300, 330, 6)} />
      <path d="M150 110 232 132 290 166M372 262 486 268 512 178" />
      <path strokeDasharray="2 9" d="M290 166 344 182M360 202 372 262M372 182 512 178" />
      <path strokeWidth="12" d={stars.map((at) => `M${at}h0`).join("")} />
      <circle cx="357" cy="184" r="15" strokeDasharray="3 5" />
      <path
        className="faint"
        strokeDasharray="1 9"
        strokeWidth="2.5"
        d="M366 200C430 330 560 380 652 326"
      />
      <circle className="faint" cx="690" cy="306" r="34" />
      <path className="faint" d={rays(40, 52, 20, 690, 306)} />
      <path className="star" d={sparkle(690, 306, 30)} />
    </svg>
  );
}

/** The sky's net, fading before the edges of the picture. */
function Grid() {
  return (
    <g stroke="url(#lost-star-fade)" strokeWidth="0.9">
      <radialGradient id="lost-star-fade" gradientUnits="userSpaceOnUse" cx="400" cy="190" r="390">
        <stop offset="0" stopColor="currentColor" stopOpacity="0.6" />
        <stop offset="0.5" stopColor="currentColor" stopOpacity="0.4" />
        <stop offset="1" stopColor="currentColor" stopOpacity="0" />
      </radialGradient>
      <path d={rays(160, 800, 15, 330, -120)} />
      {[160, 260, 360, 460].map((radius) => (
        <circle key={radius} cx="330" cy="-120" r={radius} />
      ))}
    </g>
  );
}
