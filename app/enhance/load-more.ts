import { isPlainClick } from "./plain-click";

const TIMEOUT_MS = 20_000;

/** How often a list was made longer, and where it was left: the history keeps it for Back and for reloading. */
type Kept = { list?: [appended: number, top: number] } | null;

const kept = () => history.state as Kept;

let appended = 0;

/** Appends the next page of a list to the shown one. On failure the link opens that page. */
export function loadMoreInPlace() {
  // The link still leads to what cannot be fetched.
  appendAgain().catch(() => undefined);
  addEventListener("pagehide", () => {
    if (!appended) return;
    history.replaceState({ ...kept(), list: [appended, scrollY] }, "");
  });
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    // The second press of a double click would append the page twice.
    if (link.ariaBusy) return;
    append(link).then(
      ([first]) => first?.querySelector("a")?.focus(),
      () => location.assign(link.href),
    );
  });
}

/** A browser that fetches the page anew shows only its first part, and no place further down. */
async function appendAgain() {
  const [count, top] = kept()?.list ?? [0, 0];
  while (appended < count) {
    const link = document.querySelector<HTMLAnchorElement>("[data-load-more] a");
    if (!link) break;
    await append(link);
  }
  if (count) scrollTo(0, top);
}

function linkOf(event: MouseEvent): HTMLAnchorElement | null {
  const target = event.target instanceof Element ? event.target : null;
  return isPlainClick(event)
    ? (target?.closest<HTMLAnchorElement>("[data-load-more] a") ?? null)
    : null;
}

/** @returns the appended items */
async function append(link: HTMLAnchorElement): Promise<Element[]> {
  link.ariaBusy = "true";
  try {
    return await appendNext(link);
  } catch (error) {
    // The link must work again: Back may restore this page as it is now.
    link.ariaBusy = null;
    throw error;
  }
}

async function appendNext(link: HTMLAnchorElement) {
  const response = await fetch(link.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`Status ${response.status}`);
  const next = new DOMParser().parseFromString(await response.text(), "text/html");
  const list = next.querySelector("[data-more-into]");
  // The answer is another page, such as the one to sign in.
  if (!list) throw new Error("No list");
  const items = [...list.children];
  document.querySelector("[data-more-into]")?.append(...items);
  const more = next.querySelector("[data-load-more]");
  const shown = link.closest("[data-load-more]");
  if (more) shown?.replaceWith(more);
  else shown?.remove();
  appended++;
  return items;
}
