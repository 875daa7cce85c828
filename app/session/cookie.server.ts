import { config } from "~/config.server";
import { sessionData } from "./data";
import { seal, unseal } from "./seal.server";
import { Session } from "./session.server";

const MAX_AGE_SECONDS = 14 * 24 * 3600;

/**
 * Browsers take a cookie named `__Host-…` over https only, and from this very host: no sibling domain
 * and nobody on a plain connection can plant one (RFC 6265bis, 4.1.3.2).
 */
const PLAIN = { name: "cap_session", purpose: "session", attributes: "" } as const;
const SECURE = {
  name: "__Host-cap_session",
  purpose: "secure session",
  attributes: "; Secure",
} as const;

const cookieFor = (request: Request) =>
  new URL(request.url).protocol === "https:" ? SECURE : PLAIN;

/** The one session cookie of the request's scheme counts; of two with its name none does. */
export async function readSession(request: Request): Promise<Session> {
  const cookie = cookieFor(request);
  const sealed = valueOf(cookie.name, request);
  const [newest = "", ...older] = config().secrets;
  const current = sessionData.safeParse(await unseal(sealed ?? "", [newest], cookie.purpose));
  if (current.success) return new Session(current.data);
  const session = new Session({});
  const earlier = sessionData.safeParse(
    (await unseal(sealed ?? "", older, cookie.purpose)) ??
      (await unsealUnnamed(sealed ?? valueOf(PLAIN.name, request))),
  );
  // Written anew: the older secret may go without signing anybody out.
  if (earlier.success) session.set(earlier.data);
  return session;
}

/**
 * Sessions of before schemes had cookies of their own stay open. None is made any more, so that two
 * weeks later a planted one opens nothing.
 */
const unsealUnnamed = (sealed: string | null) =>
  unseal(sealed ?? "", config().secrets, "session cookie");

/**
 * The `Set-Cookie` value of the session as it is now. A sealed session needs no further encoding;
 * Remix's `createCookie` would add a third to it, and browsers drop a cookie above 4096 bytes.
 */
export async function writeSession(session: Session, request: Request): Promise<string> {
  const { name, purpose, attributes } = cookieFor(request);
  const sealed = await seal(session.data, config().secrets, MAX_AGE_SECONDS, purpose);
  return `${name}=${sealed}; Max-Age=${MAX_AGE_SECONDS}; Path=/; HttpOnly; SameSite=Lax${attributes}`;
}

/** Whether a `Set-Cookie` line writes the session. */
export const isSessionCookie = (line: string) =>
  [PLAIN, SECURE].some(({ name }) => line.startsWith(`${name}=`));

/** Null for none, for several and for what was never sealed. */
function valueOf(name: string, request: Request): string | null {
  const parts = (request.headers.get("cookie") ?? "").split(";").map((part) => part.trim());
  const [value = "", ...others] = parts
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return others.length === 0 && /^[\w.-]+$/.test(value) ? value : null;
}
