import { CLIENT_ADDRESS, CLIENT_AGENT } from "~/contract/client-headers";
import type { StandIn } from "~/session/stand-in.server";
import { STAND_IN_UID } from "~/session/stand-in.server";
import { openedPlatform } from "../../server/opened-platform";
import type { Arriving, Carrier, Outgoing } from "./carrier";

/** The people whom bearer tokens stand for, as found once for the reads of one page. */
export type KnownSenders = Map<string, ReturnType<Platform["authenticate"]>>;

/**
 * The platform that the host has opened. Without our host it is opened here: only then is its code, which the host
 * has too, loaded a second time.
 */
export async function embeddedPlatform() {
  return openedPlatform() ?? (await import("../../server/embedded")).embeddedPlatform();
}

type Platform = Awaited<ReturnType<typeof embeddedPlatform>>;

/** What is asked of the platform. */
type Answering = Pick<Platform, "answer" | "authenticate">;

export type Embedded = {
  platform: () => Promise<Answering>;
  /** The public origin at which the page was asked for. */
  origin: string;
  /** Without it, each call finds its sender anew. */
  senders?: KnownSenders | undefined;
  /** For whom the page is made, if for no person. */
  standIn?: StandIn | undefined;
};

/** Carries calls to the platform in this process, without requests and without JSON as text. */
export const toEmbedded =
  ({ platform: open, origin, senders, standIn }: Embedded): Carrier =>
  async (outgoing) => {
    const { name, params, search, headers, body, bearer } = outgoing;
    if (standIn && isOwnMetadata(outgoing)) return arriving({ status: 200, body: dataOf(standIn) });
    const platform = await open();
    // The next call reads again what this write may have changed, such as the own session.
    const isRead = outgoing.endpoint.method === "GET";
    if (!isRead) senders?.clear();
    const answered = await platform.answer({
      name,
      params,
      search,
      headers,
      body,
      sender: async () => standIn ?? (bearer ? findSender(platform, senders, bearer) : null),
      origin,
      clientAddress: headers[CLIENT_ADDRESS],
      clientAgent: headers[CLIENT_AGENT],
    });
    if (!isRead) senders?.clear();
    return arriving(answered);
  };

async function findSender(platform: Answering, senders: KnownSenders | undefined, token: string) {
  const known = senders?.get(token);
  if (known) return known;
  const found = platform.authenticate(token);
  senders?.set(token, found);
  // A retry asks again.
  found.catch(() => senders?.delete(token));
  return found;
}

const isOwnMetadata = ({ name, params }: Outgoing) =>
  name === "getMetadata" && params.uid === STAND_IN_UID;

/** A stand-in has its favorites and no row in the database. All else the platform answers to its roles. */
function dataOf({ favorites }: StandIn) {
  const date = new Date(0).toISOString();
  return { payload: { data: JSON.stringify({ profile: { favorites } }), date, modified: date } };
}

type Answered = { status: number; headers?: Record<string, string>; body?: unknown };

const arriving = ({ status, headers = {}, body }: Answered): Arriving => ({
  status,
  nextToken: headers["next-token"] ?? null,
  retryAfter: headers["retry-after"] ?? null,
  readBody: async () => ({ value: body }),
});
