import { isPlainClick } from "./plain-click";

/** Appends the next page of a list to the shown one. On failure the link opens that page. */
export function loadMoreInPlace() {
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    void append(link).catch(() => location.assign(link.href));
  });
}

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const target = event.target instanceof Element ? event.target : null;
  return isPlainClick(event)
    ? (target?.closest<HTMLAnchorElement>("[data-load-more] a") ?? null)
    : null;
}

async function append(link: HTMLAnchorElement) {
  link.setAttribute("aria-busy", "true");
  const response = await fetch(link.href);
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
