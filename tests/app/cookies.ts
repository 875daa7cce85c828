/** `name=value` of a `Set-Cookie` line: what a browser sends back. */
export const cookieOf = (line: string) => line.split(";")[0] ?? "";

/** The `Set-Cookie` lines of an answer that write the session. */
export const sessionCookies = (headers: Headers) =>
  headers.getSetCookie().filter((line) => /^(?:__Host-)?cap_session=/.test(line));
