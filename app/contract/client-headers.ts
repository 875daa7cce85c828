/** What the site tells the platform of its visitor. It replaces values that a browser sends. */
export const CLIENT_ADDRESS = "x-client-address";
export const CLIENT_AGENT = "x-client-agent";
