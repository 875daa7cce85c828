import { logFailure } from "~/log.server";
import type { Visit } from "./visit.server";

/** Ends the session. If the platform cannot end it, this browser is signed out all the same. */
export async function signOut({ session, attempt }: Visit, request: Request) {
  const uid = session.claims()?.uid;
  const end = async () => uid && attempt("endSession", { params: { uid, session: "current" } });
  await end().catch((error: unknown) => logFailure(error, request));
  session.clear();
}
