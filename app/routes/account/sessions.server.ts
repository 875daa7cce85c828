import { mapResult, type ReadResult } from "~/api/read-result";
import { formatDateTime } from "~/i18n/format";
import { deviceWords } from "~/i18n/device.server";
import type { Visit } from "~/session/visit.server";

export type SessionWords = {
  uid: string;
  device: string;
  since: string;
  seen: string;
  current: boolean;
};

/** All that an account can have open: one that is not shown could not be ended. */
const SHOWN = 50;

/** The open sessions of the account. An API may have no such list (404). */
export async function findSessions(visit: Visit, uid: string): Promise<ReadResult<SessionWords[]>> {
  const result = await visit.find("listSessions", { params: { uid }, query: { length: SHOWN } });
  return mapResult(result, ({ payload }) =>
    payload.map(({ device, createdDateTime, lastSeenDateTime, ...session }) => ({
      ...session,
      device: deviceWords(device),
      since: formatDateTime(createdDateTime),
      seen: formatDateTime(lastSeenDateTime),
    })),
  );
}
