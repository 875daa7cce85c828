type TicksProps = {
  x?: number;
  radius: number;
  length: number;
  count: number;
  /** How thick a tick is, as a part of the way to the next one. */
  width?: number;
  className?: string;
};

/**
 * A graduated circle in one element: a dashed stroke as thick as the ticks are long. Its dashes begin beside the
 * places where the quarters of a circle meet, which some browsers join with a corner.
 */
export function Ticks({ x = 0, radius, length, count, width = 0.1, className }: TicksProps) {
  // `pathLength` would count them: SVG 1.1 allows it for paths alone, and some renderers do not know it.
  const step = (2 * Math.PI * radius) / count;
  const [dash, gap, offset] = [width, 1 - width, -0.02].map((part) => (part * step).toFixed(3));
  return (
    <circle
      className={className}
      cx={x || undefined}
      cy={x ? 100 : undefined}
      r={radius}
      strokeWidth={length}
      strokeDasharray={`${dash} ${gap}`}
      strokeDashoffset={offset}
      strokeLinecap="butt"
    />
  );
}
