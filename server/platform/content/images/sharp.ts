import type { Sharp } from "sharp";

export type { Sharp };

/**
 * Opens an image, turned as its camera was held. The package is loaded when there is an image to read: most starts
 * have none. It works in threads of its own, one for an image, so that the rest of the machine is left to a site
 * that runs meanwhile.
 */
export async function openSharp(bytes: Buffer): Promise<Sharp> {
  const { default: sharp } = await import("sharp");
  sharp.concurrency(1);
  sharp.cache(false);
  // More pixels are refused by their number, with a reason.
  return sharp(bytes, { autoOrient: true, failOn: "error", limitInputPixels: false });
}
