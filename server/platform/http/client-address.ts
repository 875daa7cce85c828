import { isIP } from "node:net";

/** The visitor's address as the site reports it; null without a valid one. */
export const clientAddressIn = (address: string | null | undefined): string | null =>
  address && isIP(address) ? address : null;
