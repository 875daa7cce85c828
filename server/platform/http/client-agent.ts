/** Written by the site itself, over whatever a stranger sent. */
const HEADER = "x-client-agent";
const MAX_LENGTH = 300;

/** How the visitor's browser names itself; null when it is not told. */
export function clientAgentOf(request: Request): string | null {
  const agent = (request.headers.get(HEADER) ?? "").trim().slice(0, MAX_LENGTH);
  return agent === "" ? null : agent;
}
