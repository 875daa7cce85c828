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
  return (
    <circle
      className={className}
      cx={x || undefined}
      cy={x ? 100 : undefined}
      r={radius}
      pathLength={count}
      strokeWidth={length}
      strokeDasharray={`${width} ${1 - width}`}
      strokeDashoffset="-.02"
      strokeLinecap="butt"
    />
  );
}
