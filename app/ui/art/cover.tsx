import type { ComponentType } from "react";
import type { CoverScene, SceneName } from "./cover-scene";
import { randomFrom } from "./random";
import { Comet } from "./scenes/comet";
import { Compass } from "./scenes/compass";
import { Constellation } from "./scenes/constellation";
import { Horizon } from "./scenes/horizon";
import { Moons } from "./scenes/moons";
import { Orbits } from "./scenes/orbits";
import { SignInRing, SignInSky, SignInWheel, SignRising } from "./scenes/sign";
import { Sphere } from "./scenes/sphere";
import { Starfield } from "./starfield";

const scenes: Record<SceneName, ComponentType<{ seed: string; sign: number }>> = {
  comet: Comet,
  compass: Compass,
  constellation: Constellation,
  horizon: Horizon,
  moons: Moons,
  orbits: Orbits,
  signInRing: SignInRing,
  signInSky: SignInSky,
  signInWheel: SignInWheel,
  signRising: SignRising,
  sphere: Sphere,
};
const plates = ["night", "sky", "parchment", "dusk", "night", "paper"] as const;

type CoverProps = { uid: string; scene: CoverScene };

/** The drawn cover of an article. Its uid decides how the scene is composed, always the same way. */
export function Cover({ uid, scene: { name, sign = 0 } }: CoverProps) {
  // This prefix gives neighbours in the demo content different plates.
  const random = randomFrom(`22a ${uid}`);
  const Scene = scenes[name];
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
      <Scene seed={uid} sign={sign} />
    </svg>
  );
}
