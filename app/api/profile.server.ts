import { metadata, profile, tagOfMetadata, type Metadata } from "~/contract/accounts";
import type { Visit } from "~/session/visit.server";
import type { Outcome } from "./client";
import type { Failure } from "./errors";
import { mapResult, type ReadResult } from "./read-result";

/** Without `tag` nothing is stored yet. */
type Stored = { ok: true; text: string; tag?: string } | { ok: false; error: Failure };
type JsonObject = Record<string, unknown>;

/** The limit of the contract. */
const MAX_FAVORITES = 1000;

/** The person's metadata. Text that does not parse counts as empty. */
export async function findMetadata(visit: Visit, uid: string): Promise<ReadResult<Metadata>> {
  return mapResult(await visit.find("getMetadata", { params: { uid } }), ({ payload }) =>
    metadataIn(payload.data),
  );
}

export function metadataIn(text: string): Metadata {
  const parsed = metadata.safeParse(parseJson(text));
  return parsed.success ? parsed.data : {};
}

/** The stored text for a change. Nothing is stored yet where the API finds none: the change makes it. */
export async function readStoredMetadata(visit: Visit, uid: string): Promise<Stored> {
  const outcome = await visit.attempt("getMetadata", { params: { uid } });
  if (outcome.ok) {
    const { payload } = outcome.value;
    return { ok: true, text: payload.data, tag: tagOfMetadata(payload) };
  }
  return outcome.error.kind === "notFound" ? { ok: true, text: "{}" } : outcome;
}

export const saveName = (visit: Visit, uid: string, name: string) =>
  changeProfile(visit, uid, () => ({ name }));

/** Whether an article is among the person's favorites. */
export async function findIsFavorite(visit: Visit, uid: string, article: string) {
  return mapResult(await visit.find("getMetadata", { params: { uid } }), ({ payload }) =>
    isFavoriteIn(payload.data, article),
  );
}

export const isFavoriteIn = (text: string, article: string): boolean =>
  favoritesOf(profileIn(text)).includes(article);

/** Adds an article to the front of the favorites, without a duplicate, or removes it. */
export const setFavorite = (visit: Visit, uid: string, article: string, kept: boolean) =>
  changeProfile(visit, uid, (current) => {
    const others = new Set(favoritesOf(current));
    others.delete(article);
    return { favorites: [...(kept ? [article] : []), ...others].slice(0, MAX_FAVORITES) };
  });

/** Changes of one person at the same moment, as from several tabs, that may meet before one gives up. */
const MOST_TRIES = 5;

/**
 * Other keys of the metadata may belong to other programs and stay unchanged. A change that another one has
 * overtaken is made again on what that one left.
 */
async function changeProfile(
  visit: Visit,
  uid: string,
  change: (profile: JsonObject) => JsonObject,
): Promise<Outcome<"setMetadata">> {
  let stored = await readStoredMetadata(visit, uid);
  for (let tries = 1; ; tries++) {
    if (!stored.ok) return stored;
    const { text, tag } = stored;
    const current = profileIn(text);
    const body = { ...asObject(parseJson(text)), profile: { ...current, ...change(current) } };
    const headers = tag === undefined ? {} : { "if-match": tag };
    const written = await visit.attempt("setMetadata", { params: { uid }, headers, body });
    if (written.ok || written.error.kind !== "conflict" || tries === MOST_TRIES) return written;
    stored = await readStoredMetadata(visit, uid);
    // Another reason than a change in between: sending it again would not help.
    if (stored.ok && stored.tag === tag) return written;
  }
}

const profileIn = (text: string) => asObject(asObject(parseJson(text)).profile);

const favoritesOf = ({ favorites }: JsonObject) =>
  profile.shape.favorites.safeParse(favorites).data ?? [];

const asObject = (value: unknown): JsonObject => (isObject(value) ? value : {});

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Another program's text: it counts as empty.
    return null;
  }
}

/** The e-mail that a form starts with: the signed-in person's, confirmed by the API. */
export async function ownEmail(visit: Visit): Promise<string> {
  const read = await visit.signedIn();
  return read.kind === "found" ? read.value.identifier : "";
}
