import type { Platform } from "./platform";
import { processWide } from "./process-wide";

const opened = processWide("platform", (): { platform?: Promise<Platform> | undefined } => ({}));

/** The platform of this process, once somebody opens it. Asking does not load its code, which each bundle has. */
export const openedPlatform = (): Promise<Platform> | undefined => opened.platform;

export function setOpenedPlatform(platform: Promise<Platform> | undefined) {
  opened.platform = platform;
}
