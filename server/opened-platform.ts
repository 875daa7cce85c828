import type { Platform } from "./platform";

/**
 * The host and the Remix build are two bundles. A global symbol lets both find the same platform.
 */
const KEY = Symbol.for("cap-celeste.platform");

type Holder = { [KEY]?: Promise<Platform> | undefined };

// The cast is safe: nothing else writes under this symbol.
const holder = globalThis as typeof globalThis & Holder;

/** The platform of this process, once somebody opens it. Asking does not load its code, which each bundle has. */
export const openedPlatform = (): Promise<Platform> | undefined => holder[KEY];

export function setOpenedPlatform(platform: Promise<Platform> | undefined) {
  holder[KEY] = platform;
}
