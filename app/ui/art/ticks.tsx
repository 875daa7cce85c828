type TicksProps = { x?: number; radius: number; length: number; count: number };

/** A graduated circle in one element: a dashed stroke as thick as the ticks are long. */
export function Ticks({ x = 0, radius, length, count }: TicksProps) {
  return (
    <circle
      cx={x}
      cy={x && 100}
      r={radius}
      pathLength={count}
      strokeWidth={length}
      strokeDasharray=".1 .9"
      strokeLinecap="butt"
    />
  );
}
