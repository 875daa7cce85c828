/** Point at an angle in degrees, clockwise from twelve o'clock. */
export function polar(radius: number, degrees: number, x = 0, y = 0): [number, number] {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [round(x + radius * Math.cos(angle)), round(y + radius * Math.sin(angle))];
}

/** The same point as path data: `x,y`. */
export function spot(radius: number, degrees: number, x = 0, y = 0) {
  return polar(radius, degrees, x, y).join(",");
}

/** Rays between two radii, one every `step` degrees. */
export function rays(inner: number, outer: number, step: number, x = 0, y = 0) {
  let path = "";
  for (let degrees = 0; degrees < 360; degrees += step) {
    path += `M${spot(inner, degrees, x, y)}L${spot(outer, degrees, x, y)}`;
  }
  return path;
}

/** A star of four long points; the atlas sign for a bright star. */
export function sparkle(x: number, y: number, size: number) {
  const waist = round(size * 0.16);
  const side = round(size - waist);
  return (
    `M${x} ${round(y - size)}l${waist} ${side} ${side} ${waist}-${side} ${waist}-${waist} ${side}` +
    `-${waist}-${side}-${side}-${waist} ${side}-${waist}z`
  );
}

function round(value: number) {
  return Math.round(value * 10) / 10;
}
