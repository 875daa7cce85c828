import { config } from "~/config.server";
import { SESSION_SECONDS } from "~/contract/limits";
import { isShown, sessionData, type SessionData } from "./data";
import { seal, unseal } from "./seal.server";
import { Session } from "./session.server";

/**
 * Browsers accept a cookie named `__Host-…` only over https and only from this host. Neither a sibling
 * domain nor an attacker on a plain connection can set one (RFC 6265bis, 4.1.3.2).
 */
const PLAIN = { name: "cap_session", purpose: "session", attributes: "" } as const;
const SECURE = {
  name: `__Host-${PLAIN.name}`,
  purpose: "secure session",
  attributes: "; Secure",
} as const;

/** Names of the session cookie under http and https. */
export const SESSION_COOKIES = [PLAIN.name, SECURE.name];

const cookieFor = (url: string) => (url.startsWith("https:") ? SECURE : PLAIN);

/** Reads the session cookie of the request's scheme. Two cookies of that name count as none. */
export const readSession = ({ url, headers }: Request): Promise<Session> =>
  openSession(url, headers.get("cookie") ?? "");

/**
 * The session in the cookies of a request.
 * @param url of the request, or its origin
 */
export async function openSession(url: string, cookies: string): Promise<Session> {
  const cookie = cookieFor(url);
  const sealed = readCookie(cookie.name, cookies);
  const [newest = "", ...older] = config().secrets;
  const current = sessionData.safeParse(await unseal(sealed ?? "", [newest], cookie.purpose));
  if (current.success) return withoutPastReceipts(new Session(current.data));
  const session = new Session({});
  const earlier = sessionData.safeParse(
    (await unseal(sealed ?? "", older, cookie.purpose)) ??
      (await unsealUnnamed(sealed ?? readCookie(PLAIN.name, cookies))),
  );
  // The session is sealed again with the newest secret, so that the older one can be removed later.
  if (earlier.success) session.set(earlier.data);
  return withoutPastReceipts(session);
}

/** A receipt that is shown no more is kept no longer: it holds the name, the e-mail and the reference of somebody. */
function withoutPastReceipts(session: Session): Session {
  const { receipts = [] } = session.data;
  const left = receipts.filter(isShown);
  if (left.length < receipts.length) session.set({ receipts: left.length > 0 ? left : undefined });
  return session;
}

/**
 * Opens sessions of releases that had one cookie for both schemes. No new ones are written, so all of
 * them expire two weeks after the update.
 */
const unsealUnnamed = (sealed: string | null) =>
  unseal(sealed ?? "", config().secrets, "session cookie");

/**
 * The `Set-Cookie` value of the session. Remix's `createCookie` is not used: its encoding adds a third,
 * and browsers drop cookies above 4096 bytes.
 */
export async function writeSession(session: Session, request: Request): Promise<string> {
  const [whole, ...smaller] = bySize(session.data);
  let line = await sealLine(whole, request);
  for (const data of smaller) {
    if (line.length <= COOKIE_BYTES) return line;
    line = await sealLine(data, request);
  }
  return line;
}

/**
 * The data, and without what is a help alone: the address that was typed, what receipts name, and receipts before the
 * newest. All else of a session is needed, and has room.
 */
function bySize(data: SessionData): [SessionData, ...SessionData[]] {
  const { sentTo: _, ...needed } = data;
  const receipts = needed.receipts?.map(({ declared: _, debits: __, ...receipt }) => receipt);
  return [data, needed, { ...needed, receipts }, { ...needed, receipts: receipts?.slice(-1) }];
}

/** What browsers keep of one cookie: name, value and attributes (RFC 6265, 6.1). */
const COOKIE_BYTES = 4096;

async function sealLine(data: SessionData, request: Request) {
  const { name, purpose, attributes } = cookieFor(request.url);
  const sealed = await seal(data, config().secrets, SESSION_SECONDS, purpose);
  return `${name}=${sealed}; Max-Age=${SESSION_SECONDS}; Path=/; HttpOnly; SameSite=Lax${attributes}`;
}

/** Whether a `Set-Cookie` line writes the session. */
export const isSessionCookie = (line: string) =>
  SESSION_COOKIES.some((name) => line.startsWith(`${name}=`));

/** The value of a cookie. Null when it is missing, present twice, or has characters that ours never have. */
export function readCookie(name: string, cookies: string): string | null {
  const parts = cookies.split(";").map((part) => part.trim());
  const [value = "", ...others] = parts
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  return others.length === 0 && /^[\w.-]+$/.test(value) ? value : null;
}
