/** What the funnel reads from an address and keeps in the session (`rememberFunnel`). */
export const FUNNEL_PARAMETERS = ["utk", "token", "platform", "returnTo"] as const;
