import { z } from "zod/v4";
import { config } from "~/config.server";
import type { Visit } from "./visit.server";
import { paths } from "~/paths";
import { safeReturnPath } from "./return-path.server";
import { seal, unseal } from "./seal.server";

const MAX_BYTES = 64 * 1024;
/** As long as the session cookie. */
const MAX_AGE_SECONDS = 14 * 24 * 3600;
const PURPOSE = "carried form";

/** Nobody is sent there after signing in, but a form that was being sent there may go on. */
const FUNNEL_PATHS = [paths.registration(), paths.welcome(), paths.registrationPayment()];

const fields = z.array(z.tuple([z.string(), z.string()]));

const carried = z.object({ path: z.string(), fields, person: z.string().optional() });

export type Fields = z.infer<typeof fields>;

/** A form that waits for its sender, and where it was going. */
export type CarriedForm = { path: string; fields: Fields };

/**
 * Seals what was sent to the page asked for, so that it can wait in the login page; null when it is
 * too much, or was going nowhere one may go back to.
 */
export async function sealCarried({ url, session }: Visit, fields: Fields) {
  const wanted = url.searchParams.get("returnTo");
  const path = FUNNEL_PATHS.find((one) => one === wanted) ?? safeReturnPath(wanted);
  if (!path || Buffer.byteLength(JSON.stringify(fields)) > MAX_BYTES) return null;
  const { person } = session.data;
  return seal({ path, fields, person }, config().secrets, MAX_AGE_SECONDS, PURPOSE);
}

/** What was kept, if it is of the person signed in now. */
export async function openCarried({ session }: Visit, sealed: string): Promise<CarriedForm | null> {
  const opened = carried.safeParse(await unseal(sealed, config().secrets, PURPOSE));
  if (!opened.success) return null;
  const { path, fields, person } = opened.data;
  return person === undefined || person === session.data.person ? { path, fields } : null;
}
