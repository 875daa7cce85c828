import { config } from "~/config.server";
import { embeddedPlatform } from "./embedded.server";

/** Reads what stands below `/medias/`; undefined where nothing does, as with an external API. */
export async function readImage(address: string) {
  if (config().apiUrl) return undefined;
  return (await embeddedPlatform()).images.read(address);
}
