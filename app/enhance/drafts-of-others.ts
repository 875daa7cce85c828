const FORMS = "forms";

/**
 * Removes the drafts of everybody else once this tab is another viewer's. What a visitor typed who then signs in
 * follows them into their account, once.
 * @param viewer owner mark, empty for a visitor
 */
export function passOnDrafts(viewer: string, before: string | undefined) {
  /** The name of a draft for this viewer, or null for a draft of somebody else. */
  const passedOn = (owner: string, rest: string) => {
    if (owner !== viewer && (owner !== "" || before !== "")) return null;
    return `${viewer}:${rest}`;
  };
  const given = JSON.parse(sessionStorage.getItem(FORMS) ?? "{}") as Record<string, unknown>;
  const forms: typeof given = {};
  for (const [name, draft] of Object.entries(given)) {
    const [owner = "", rest = ""] = name.split(":");
    const own = passedOn(owner, rest);
    if (own) forms[own] ??= draft;
  }
  sessionStorage.setItem(FORMS, JSON.stringify(forms));
  for (const name of Object.keys(sessionStorage)) {
    const [, owner, rest] = /^draft:([^:]*):(.*)$/.exec(name) ?? [];
    if (owner === undefined || rest === undefined || owner === viewer) continue;
    const own = passedOn(owner, rest);
    const draft = sessionStorage.getItem(name);
    sessionStorage.removeItem(name);
    if (own && draft) sessionStorage.setItem(`draft:${own}`, draft);
  }
}
