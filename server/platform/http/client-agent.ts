const MAX_LENGTH = 300;

/** The `User-Agent` of the visitor's browser as the site reports it; null without one. */
export const clientAgentIn = (agent: string | null | undefined): string | null =>
  agent?.trim().slice(0, MAX_LENGTH) || null;
