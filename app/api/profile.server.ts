import { metadata, profile, type Metadata } from "~/contract/accounts";
import type { Visit } from "~/session/visit.server";
import type { Outcome } from "./client";
import type { Failure } from "./errors";
import { mapResult, type ReadResult } from "./read-result";

type MetadataText = { ok: true; text: string } | { ok: false; error: Failure };
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
export async function readMetadataText(visit: Visit, uid: string): Promise<MetadataText> {
  const outcome = await visit.attempt("getMetadata", { params: { uid } });
  if (outcome.ok) return { ok: true, text: outcome.value.payload.data };
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

/** Other keys of the metadata may belong to other programs and stay unchanged. */
async function changeProfile(
  visit: Visit,
  uid: string,
  change: (profile: JsonObject) => JsonObject,
): Promise<Outcome<"setMetadata">> {
  const stored = await readMetadataText(visit, uid);
  if (!stored.ok) return stored;
  const current = profileIn(stored.text);
  const body = { ...asObject(parseJson(stored.text)), profile: { ...current, ...change(current) } };
  return visit.attempt("setMetadata", { params: { uid }, body });
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
