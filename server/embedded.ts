import { config } from "../app/config.server";
import { runAs } from "./current-work";
import { log } from "./log";
import { openPlatform, type Platform } from "./platform";

/**
 * The host and the Remix build are two bundles. A global symbol lets both find the same platform.
 */
const KEY = Symbol.for("cap-celeste.platform");

type Holder = { [KEY]?: Promise<Platform> | undefined };

// The cast is safe: nothing else writes under this symbol.
const holder = globalThis as typeof globalThis & Holder;

/**
 * Opens the embedded platform once per process, and begins its work.
 * @throws Error in one sentence when database or payment provider cannot be used; the next call
 *   tries again
 */
export function embeddedPlatform(): Promise<Platform> {
  // A request may be the first to need it, and what then runs in the background is not done for that request.
  return (holder[KEY] ??= runAs(null, open));
}

/** Stops background work; requests in progress still find the platform. */
export async function stopEmbeddedWork() {
  await (await holder[KEY])?.stopWork();
}

export async function closeEmbeddedPlatform() {
  const platform = holder[KEY];
  holder[KEY] = undefined;
  await (await platform)?.close();
}

async function open() {
  try {
    const platform = await openPlatform({ ...config(), log: log(), jobs: true });
    return await beginOrClose(platform);
  } catch (error) {
    holder[KEY] = undefined;
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
