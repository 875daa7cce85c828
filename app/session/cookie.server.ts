import { createCookie } from "@remix-run/node";
import { config } from "~/config.server";
import { sessionData } from "./data";
import { seal, unseal } from "./seal.server";
import { Session } from "./session.server";

const MAX_AGE_SECONDS = 14 * 24 * 3600;

const cookie = createCookie("cap_session", {
  path: "/",
  httpOnly: true,
  sameSite: "lax",
  maxAge: MAX_AGE_SECONDS,
});

export async function readSession(request: Request): Promise<Session> {
  const sealed: unknown = await cookie.parse(request.headers.get("cookie"));
  if (typeof sealed !== "string") return new Session({});
  const data = sessionData.safeParse(await unseal(sealed, config().secrets));
  return new Session(data.success ? data.data : {});
}

/** The `Set-Cookie` value of the session as it is now. */
export async function writeSession(session: Session, request: Request): Promise<string> {
  const sealed = await seal(session.data, config().secrets, MAX_AGE_SECONDS);
  return cookie.serialize(sealed, { secure: isHttps(request) });
}

function isHttps(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  const { siteUrl } = config();
  return (forwarded ?? new URL(siteUrl ?? request.url).protocol.replace(":", "")) === "https";
}
