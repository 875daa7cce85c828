import site from "~/locales/fr/site.json";
import type { Within } from "./keys";

/** Key of a text in `flash` of the catalogue `site`. */
export type FlashKey = Within<"site", "flash">;

export const isFlashKey = (key: unknown): key is FlashKey =>
  typeof key === "string" && Object.hasOwn(site.flash, key);
