import { sparkle } from "./geometry";
import { randomFrom } from "./random";

/** Small background stars: dots of two sizes and a few bright ones. */
export function Starfield({ seed }: { seed: string }) {
  const random = randomFrom(`stars ${seed}`);
  const count = random.int(14, 22);
  const dots = (length: number) =>
    Array.from({ length }, () => `M${random.int(12, 308)} ${random.int(12, 188)}h0`).join("");
  const bright = Array.from({ length: 2 }, () =>
    sparkle(random.int(20, 300), random.int(18, 182), random.int(4, 6)),
  ).join("");
  return (
    <>
      <path className="faint" strokeWidth="2" d={dots(count)} />
      <path strokeWidth="1.6" d={dots(Math.round(count / 3))} />
      <path className="dot" d={bright} />
    </>
  );
}
