import { createCookie } from "@remix-run/node";
import { LANGUAGE_COOKIE_DAYS } from "~/contract/limits";
import { remixI18n } from "~/i18n/i18n.server";

const cookie = createCookie("lng", {
  path: "/",
  sameSite: "lax",
  maxAge: LANGUAGE_COOKIE_DAYS * 24 * 3600,
});

/** Remembers the language for 365 days. */
export async function languageCookie(request: Request): Promise<string> {
  const secure = new URL(request.url).protocol === "https:";
  return cookie.serialize(await remixI18n.getLocale(request), { secure });
}
