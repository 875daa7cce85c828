/** The site sets this header and overwrites a value sent by the visitor. */
const HEADER = "x-client-agent";
const MAX_LENGTH = 300;

/** The `User-Agent` of the visitor's browser as the site reports it; null without one. */
export function clientAgentOf(request: Request): string | null {
  const agent = (request.headers.get(HEADER) ?? "").trim().slice(0, MAX_LENGTH);
  return agent === "" ? null : agent;
}
