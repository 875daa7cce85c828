import { randomFrom } from "./random";
import { Comet } from "./scenes/comet";
import { Compass } from "./scenes/compass";
import { Constellation } from "./scenes/constellation";
import { Horizon } from "./scenes/horizon";
import { Moons } from "./scenes/moons";
import { Orbits } from "./scenes/orbits";
import { Sign } from "./scenes/sign";
import { Sphere } from "./scenes/sphere";
import { Starfield } from "./starfield";

const scenes = [Constellation, Orbits, Sign, Moons, Horizon, Sphere, Comet, Compass] as const;
const plates = ["night", "sky", "parchment", "dusk", "night", "paper"] as const;

/** The drawn cover of an article. The same uid always gives the same cover. */
export function Cover({ uid }: { uid: string }) {
  // This prefix gives neighbours in the demo content different scenes and plates.
  const random = randomFrom(`22a ${uid}`);
  const Scene = random.pick(scenes);
  return (
    <svg
      className={`cover cover--${random.pick(plates)}`}
      viewBox="0 0 320 200"
      preserveAspectRatio="xMidYMid slice"
      strokeWidth="1.2"
      aria-hidden="true"
      focusable="false"
    >
      <Starfield seed={uid} />
      <Scene seed={uid} />
    </svg>
  );
}
