/** A grid of right ascension and declination. */
export function SkyGrid({ pole }: { pole: number }) {
  const meridians = [-240, -120, -40, 40, 120, 240].map((x) => `M${pole} -90L${pole + x * 2} 240`);
  return (
    <g className="faint" strokeWidth="0.7">
      <path d={meridians.join("")} />
      {[130, 185, 240, 295].map((radius) => (
        <circle key={radius} cx={pole} cy="-90" r={radius} />
      ))}
    </g>
  );
}
