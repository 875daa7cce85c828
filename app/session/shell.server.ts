import type { PageHandle } from "./page-handle";
import { pageAddress, siteOrigin } from "./page-request.server";
import { needsConsent, type Preferences } from "./preferences.server";
import type { Session } from "./session.server";
import { thirdPartiesOf, translatedAddress, type ThirdParties } from "./third-parties.server";

/** What surrounds a page for the preferences of its visitor. */
export type Shell = {
  /** The page has no script at all. */
  lite: boolean;
  /** Path and query of the page. */
  address: string;
  /** Its consent banner is shown. */
  asksConsent: boolean;
  /** What the control "English" does here. Null where no third party may be. */
  english: { isOn: boolean; translated: string | null } | null;
  thirdParties: ThirdParties | null;
  /** A registration has succeeded, which the tag manager is told once. */
  signUp: boolean;
};

type Shown = {
  request: Request;
  /** Null for an error page. */
  handle: PageHandle | null;
  preferences: Preferences;
  session: Session;
};

/** What surrounds a page for these preferences. Takes the news of a registration out of the session. */
export function shellOf({ request, handle, preferences, session }: Shown): Shell {
  const url = new URL(request.url);
  const { lite, choice, english } = preferences;
  const mayLoad = handle?.thirdParties === true && !lite;
  const thirdParties = mayLoad ? thirdPartiesOf(handle, preferences, url) : null;
  const page = siteOrigin(url) + pageAddress(url);
  return {
    lite,
    address: pageAddress(url),
    asksConsent: mayLoad && choice === null && needsConsent(),
    english: handle?.thirdParties ? { isOn: english, translated: translatedAddress(page) } : null,
    thirdParties,
    signUp: thirdParties?.tagManager !== undefined && session.takeSignUp(),
  };
}
