import { z } from "zod/v4";
import { config } from "~/config.server";
import { SESSION_SECONDS } from "~/contract/limits";
import type { Visit } from "./visit.server";
import { paths, serverPaths } from "~/paths";
import { isMarkOf, pageMark } from "./owner.server";
import { loginReturnPath, ownPath } from "./return-path.server";
import { seal, unseal } from "./seal.server";

const MAX_BYTES = 64 * 1024;
const PURPOSE = "carried form";

/** Pages that no sign-in returns to by default, though a form on its way there may continue. */
const FUNNEL_PATHS = [paths.registration(), serverPaths.welcome(), paths.registrationPayment()];

const fields = z.array(z.tuple([z.string(), z.string()]));

/** `person`: the mark of a page (`owner.server.ts`). */
const carried = z.object({ path: z.string(), fields, person: z.string().optional() });

export type Fields = z.infer<typeof fields>;

/** A form that waits for its sender to sign in, and the path it was sent to. */
export type CarriedForm = { path: string; fields: Fields };

/**
 * Seals a posted form, so that it can wait in the login page. Null when it is too large, or when its page
 * is not one to which a login may return. The form belongs to the person for whom its page was
 * made, or without a mark to the person who signed in last.
 */
export async function sealCarried({ url, session }: Visit, fields: Fields, mark: string | null) {
  const wanted = url.searchParams.get("returnTo");
  const path = funnelPath(wanted) ?? loginReturnPath(wanted);
  if (!path || Buffer.byteLength(JSON.stringify(fields)) > MAX_BYTES) return null;
  const last = session.data.person;
  const person = mark || (last === undefined ? last : pageMark(last));
  return seal({ path, fields, person }, config().secrets, SESSION_SECONDS, PURPOSE);
}

/** The path of an order, with the parameters of its partner. Null for anything else. */
function funnelPath(wanted: string | null): string | null {
  const path = ownPath(wanted);
  const [pathname = ""] = path?.split("?") ?? [];
  return FUNNEL_PATHS.includes(pathname) ? path : null;
}

/** Opens a sealed form. Null when it belongs to another person than the one signed in. */
export async function openCarried({ session }: Visit, sealed: string): Promise<CarriedForm | null> {
  const opened = carried.safeParse(await unseal(sealed, config().secrets, PURPOSE));
  if (!opened.success) return null;
  const { path, fields, person } = opened.data;
  const now = session.data.person;
  // Before pages had marks the session's own was sealed.
  const isOwn = person === undefined || person === now || isMarkOf(person, now);
  return isOwn ? { path, fields } : null;
}
