import { config } from "../app/config.server";
import { runAs } from "./current-work";
import { log } from "./log";
import { openedPlatform, setOpenedPlatform } from "./opened-platform";
import { openPlatform, type Platform } from "./platform";

/**
 * Opens the embedded platform once per process, and begins its work.
 * @throws Error in one sentence when database or payment provider cannot be used; the next call
 *   tries again
 */
export function embeddedPlatform(): Promise<Platform> {
  const opened = openedPlatform();
  if (opened) return opened;
  // A request may be the first to need it, and what then runs in the background is not done for that request.
  const opening = runAs(null, open);
  setOpenedPlatform(opening);
  return opening;
}

/** Stops background work; requests in progress still find the platform. */
export async function stopEmbeddedWork() {
  await (await openedPlatform())?.stopWork();
}

export async function closeEmbeddedPlatform() {
  const platform = openedPlatform();
  setOpenedPlatform(undefined);
  await (await platform)?.close();
}

async function open() {
  try {
    const platform = await openPlatform({ ...config(), log: log(), jobs: true });
    return await beginOrClose(platform);
  } catch (error) {
    setOpenedPlatform(undefined);
    throw error;
  }
}

async function beginOrClose(platform: Platform) {
  try {
    await platform.begin();
    return platform;
  } catch (error) {
    await platform.close();
    throw error;
  }
}
