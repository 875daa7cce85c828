import { translate } from "~/i18n/i18n.server";
import type { FlashMessage } from "~/session/data";
import { formatDate, formatWait } from "~/i18n/format";
import type { ShownMessage } from "./flash";

/** Messages that name the signed-in person. */
const NAMING: readonly FlashMessage["key"][] = ["otherAccount", "signedInSince"];

/**
 * The messages of the last post in words: their catalogue is of no use in the browser, and was a tenth of a form page.
 * @param email of the signed-in person; undefined when nobody is
 */
export const shownMessages = (
  messages: readonly FlashMessage[],
  email: string | undefined,
): ShownMessage[] =>
  messages
    .filter(({ key }) => email !== undefined || !NAMING.includes(key))
    .map(({ type, key, retryAfter, until }) => ({
      type,
      key,
      text: translate("flash", key, {
        ...(retryAfter && { wait: formatWait(retryAfter) }),
        ...(until && { until: formatDate(until) }),
        ...(email && { email }),
      }),
    }));
