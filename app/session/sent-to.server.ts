import type { Visit } from "./visit.server";
import { pagePathname } from "./page-request.server";

/**
 * Keeps the e-mail of a form for the page that confirms it, so that a typo shows. It never stands in an address,
 * which logs and histories keep. Known and unknown e-mails are repeated alike.
 */
export function rememberSentTo({ session, url }: Visit, email: string) {
  session.set({ sentTo: { path: pagePathname(url), email } });
}

/** The e-mail that this page's form was sent with, once. */
export function takeSentTo({ session, url }: Visit): string | null {
  const { sentTo } = session.data;
  if (sentTo?.path !== pagePathname(url)) return null;
  session.set({ sentTo: undefined });
  return sentTo.email;
}
