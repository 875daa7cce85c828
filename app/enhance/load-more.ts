import { isPlainClick } from "./plain-click";

const TIMEOUT_MS = 20_000;

/** Appends the next page of a list to the shown one. On failure the link opens that page. */
export function loadMoreInPlace() {
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    // The second press of a double click would append the page twice.
    if (link.ariaBusy) return;
    void append(link).catch(() => {
      // Back may restore this page as it is now.
      link.ariaBusy = null;
      location.assign(link.href);
    });
  });
}

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const target = event.target instanceof Element ? event.target : null;
  return isPlainClick(event)
    ? (target?.closest<HTMLAnchorElement>("[data-load-more] a") ?? null)
    : null;
}

async function append(link: HTMLAnchorElement) {
  link.ariaBusy = "true";
  const response = await fetch(link.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const list = next.querySelector("[data-more-into]");
  // Another page came, such as the one to sign in.
  if (!list) throw new Error("No list");
  const items = [...list.children];
  document.querySelector("[data-more-into]")?.append(...items);
  const more = next.querySelector("[data-load-more]");
  const shown = link.closest("[data-load-more]");
  if (more) shown?.replaceWith(more);
  else shown?.remove();
  items[0]?.querySelector("a")?.focus();
}
