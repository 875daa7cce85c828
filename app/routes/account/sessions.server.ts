import { formatDateTime } from "~/ui/format";
import { deviceWords } from "~/i18n/device.server";
import type { Visit } from "~/session/enter.server";

export type SessionWords = {
  uid: string;
  device: string;
  since: string;
  seen: string;
  current: boolean;
};

const SHOWN = 20;

/** Where the person is signed in; an API without the list (404) shows none. */
export async function openSessions(visit: Visit, uid: string): Promise<SessionWords[]> {
  const outcome = await visit.attempt("listSessions", {
    params: { uid },
    query: { length: SHOWN },
  });
  if (!outcome.ok) return [];
  return outcome.value.payload.map(({ device, createdDateTime, lastSeenDateTime, ...session }) => ({
    ...session,
    device: deviceWords(device),
    since: formatDateTime(createdDateTime),
    seen: formatDateTime(lastSeenDateTime),
  }));
}
