import { config } from "~/config.server";
import { sessionData } from "./data";
import { seal, unseal } from "./seal.server";
import { Session } from "./session.server";

const MAX_AGE_SECONDS = 14 * 24 * 3600;

/**
 * A sealed session needs no further encoding; Remix's `createCookie` would add a third to it, and
 * browsers drop a cookie above 4096 bytes.
 */
const NAME = "cap_session";
const SEALED = new RegExp(`(?:^|;)\\s*${NAME}=([\\w.-]+)\\s*(?:;|$)`);

export async function readSession(request: Request): Promise<Session> {
  const sealed = SEALED.exec(request.headers.get("cookie") ?? "")?.[1];
  if (!sealed) return new Session({});
  const [newest = "", ...older] = config().secrets;
  const current = sessionData.safeParse(await unseal(sealed, [newest]));
  if (current.success) return new Session(current.data);
  const session = new Session({});
  const earlier = sessionData.safeParse(await unseal(sealed, older));
  // Written anew: the older secret may go without signing anybody out.
  if (earlier.success) session.set(earlier.data);
  return session;
}

/** The `Set-Cookie` value of the session as it is now. */
export async function writeSession(session: Session, request: Request): Promise<string> {
  const sealed = await seal(session.data, config().secrets, MAX_AGE_SECONDS);
  const attributes = `Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax`;
  return `${NAME}=${sealed}; ${attributes}${isHttps(request) ? "; Secure" : ""}`;
}

function isHttps(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const { siteUrl } = config();
  return (forwarded ?? new URL(siteUrl ?? request.url).protocol.replace(":", "")) === "https";
}
