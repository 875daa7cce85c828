/** The favorite button, in the address to which its post leads back. */
export const FAVORITE_ANCHOR = "favori";
