/**
 * Shows on the 404 page of a thread what was being written there. The thread may have been erased
 * meanwhile, and the text is nowhere else.
 */
export function showKeptDraft() {
  const part = document.querySelector<HTMLElement>("[data-kept-draft]");
  const area = part?.querySelector("textarea");
  const thread = location.pathname.split("/").findLast(Boolean);
  if (!part || !area || !thread) return;
  const draft = sessionStorage.getItem(`${part.dataset.keptDraft}${thread}`);
  if (!draft) return;
  area.value = draft;
  part.hidden = false;
}
