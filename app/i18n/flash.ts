import flash from "~/locales/fr/flash.json";
import type { Key } from "./keys";

/** Key of a message that follows a post. */
export type FlashKey = Key<"flash">;

export const isFlashKey = (key: unknown): key is FlashKey =>
  typeof key === "string" && Object.hasOwn(flash, key);
