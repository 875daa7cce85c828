import sharp from "sharp";

type Photo = {
  width: number;
  height: number;
  format?: "jpeg" | "png" | "webp" | "avif";
  /** How the camera was held, as EXIF counts it; written with a place and a name. */
  orientation?: number;
  alpha?: boolean;
  colour?: string;
};

/** An image file, as an owner has it. */
export function photo({ width, height, format = "jpeg", orientation, ...rest }: Photo) {
  const { alpha = false, colour = "#808080" } = rest;
  const background = alpha ? { r: 0, g: 0, b: 0, alpha: 0.5 } : colour;
  const image = sharp({ create: { width, height, channels: alpha ? 4 : 3, background } });
  const place = { GPSLatitudeRef: "N", GPSLatitude: "48/1 51/1 24/1" };
  const exif = { IFD0: { Artist: "Claire" }, IFD3: place };
  const told = orientation ? image.withExif(exif).withMetadata({ orientation }) : image;
  return told[format]().toBuffer();
}

export const drawing = (inside = "", attributes = 'viewBox="0 0 300 200"') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="9" height="9"/>${inside}</svg>`;
