import { metadata, type Metadata } from "~/contract/accounts";
import type { Visit } from "~/session/enter.server";

/** The person's metadata; text that is none counts as empty. */
export async function readMetadata(visit: Visit, uid: string): Promise<Metadata> {
  const { payload } = await visit.read("getMetadata", { params: { uid } });
  const parsed = metadata.safeParse(parseJson(payload.data));
  return parsed.success ? parsed.data : {};
}

export async function saveName(visit: Visit, uid: string, name: string) {
  const known = await readMetadata(visit, uid);
  return visit.attempt("setMetadata", {
    params: { uid },
    body: { ...known, profile: { ...known.profile, name } },
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
