import { LRUCache } from "lru-cache";
import type { Params } from "react-router";
import { isFavoriteIn } from "../../../app/api/profile.server";
import type { PageHandle } from "../../../app/session/page-handle";
import { standInMark, type StandIn } from "../../../app/session/stand-in.server";
import type { Preferences } from "../../../app/session/preferences.server";
import type { Pages } from "../http/pages";
import type { SecurityHeaders } from "../http/security-headers";
import type { Version } from "./address";
import { KeptPage, type ReadyAnswer } from "./kept-page";
import { keepable } from "./keepable";
import type { PageCache } from "./page-cache";
import { createViewers, type People, type Viewer } from "./viewers";

/** A page that is kept for roles: its address, and the article whose favorite it shows. */
export type RolePlace = { address: string; article: string | null };

type RoleRequest = {
  /** URL of the request; its origin is enough. */
  url: string;
  cookies: string;
  /** Variant of the page that the request wants. Its address is that of the place. */
  version: Version;
  acceptEncoding: string | undefined;
  ifNoneMatch: string | undefined;
};

type Parts = {
  cache: PageCache;
  pages: Pick<Pages, "answerPlain">;
  securityHeaders: SecurityHeaders;
  /** Undefined with an external API: nothing tells at once that a session or a role has ended. */
  people: () => People | undefined;
};

/** A page for one person: the kept one that people like them get, and where it is kept. */
type OfPerson = { viewer: Viewer; key: string; standIn: StandIn; preferences: Preferences };

export type RoleAnswer = { ready: ReadyAnswer; source: "hit" | "miss" };

export type RolePages = {
  /** The place of a page that is kept, or may be. Null: nobody with a role has asked for it yet. */
  knownPlace(address: string): RolePlace | null;
  /** A page that is ready, for a person whose session and roles were just checked. */
  find(place: RolePlace, asked: RoleRequest): Promise<ReadyAnswer | null>;
  /** Makes the page if there is none. Null: the page is made for this person. */
  answer(place: RolePlace, asked: RoleRequest): Promise<RoleAnswer | null>;
};

const MAX_PLACES = 5_000;
/** What cannot be kept is not tried again for so long, because each try makes the page twice. */
const UNKEPT_MS = 60_000;

/**
 * Pages that are the same for all signed-in people with the same roles (`perRole` in their declaration).
 * They are made for a stand-in, and sent after session and roles were read from the database
 * (docs/decisions/0037-pages-for-roles.md).
 */
export function rolePages({ cache, pages, securityHeaders, people }: Parts): RolePages {
  const places = new LRUCache<string, RolePlace>({ max: MAX_PLACES });
  const viewers = createViewers(people);
  const unkept = new LRUCache<string, true>({ max: MAX_PLACES, ttl: UNKEPT_MS });

  const findOwn = async ({ article }: RolePlace, { url, cookies, version }: RoleRequest) => {
    const viewer = await viewers.find(url, cookies);
    if (!viewer) return null;
    const isFavorite = article !== null && (await isFavoriteOf(people(), viewer, article));
    return ownPage(viewer, version, isFavorite ? article : null);
  };
  const make = async ({ address }: RolePlace, { standIn, preferences }: OfPerson) => {
    const response = await pages.answerPlain(new Request(address), { standIn, preferences });
    return keepable(response, {
      caching: ["private, no-cache"],
      defaults: securityHeaders(address, response.headers.get("content-type")),
      mark: standInMark(),
      places: 1,
    });
  };
  /** @returns null when the person is no longer the one for whom the page was made */
  const makeFor = async (place: RolePlace, asked: RoleRequest, own: OfPerson) => {
    const { key } = own;
    if (unkept.has(key)) return null;
    const page = await cache.make(key, () => make(place, own));
    if (!(page instanceof KeptPage)) {
      unkept.set(key, true);
      return null;
    }
    places.set(place.address, place);
    // Session or role may have ended while the page was made.
    const now = await findOwn(place, asked);
    return now?.key === key ? page.plain(() => now.viewer.mark) : null;
  };

  return {
    knownPlace: (address) => places.get(address) ?? null,
    async find(place, asked) {
      const own = await findOwn(place, asked);
      const found = own && cache.find(own.key);
      if (!found) return null;
      if (!found.isFresh) cache.refresh(own.key, () => make(place, own));
      return found.page.answer({ ...asked, mark: () => own.viewer.mark });
    },
    async answer(place, asked) {
      const own = await findOwn(place, asked);
      if (!own) return null;
      const page = cache.find(own.key)?.page;
      if (!page) {
        const ready = await makeFor(place, asked, own);
        return ready && { ready, source: "miss" };
      }
      cache.compress(own.key, page);
      const mark = () => own.viewer.mark;
      return { ready: page.answer({ ...asked, mark }) ?? page.plain(mark), source: "hit" };
    },
  };
}

/** Where the page of a route is kept for roles. Null when it is made for each person. */
export function rolePlace(
  { perRole }: Pick<PageHandle, "perRole">,
  address: string | null,
  { uid }: Params,
): RolePlace | null {
  if (perRole === false || address === null) return null;
  return { address, article: (perRole.includes("favorite") && uid) || null };
}

/** Only subscribers have favorites. */
async function isFavoriteOf(people: People | undefined, { uid, roles }: Viewer, article: string) {
  const text = people && roles.includes("vip") ? await people.metadataOf(uid) : "";
  return isFavoriteIn(text, article);
}

function ownPage(
  viewer: Viewer,
  { preferences, key: version }: Version,
  favorite: string | null,
): OfPerson {
  const roles = Object.fromEntries(viewer.roles.map((role) => [role, true as const]));
  const kept = favorite === null ? "" : "+favorite";
  // No address begins like this, so that no visitor's page is under this key.
  const key = `${viewer.roles.join("+")}${kept} ${version}`;
  const standIn = { roles, favorites: favorite === null ? [] : [favorite] };
  return { viewer, key, standIn, preferences };
}
