import { isPlainClick } from "./plain-click";

const TIMEOUT_MS = 20_000;

/** What the history keeps of a list that was made longer, so that Back and reloading return to it. */
type Longer = { appended?: number; top?: number };

/** Appends the next page of a list to the shown one. On failure the link opens that page. */
export function loadMoreInPlace() {
  void appendAgain(history.state as Longer | null).catch(() => {
    // The link still leads to what is missing.
  });
  addEventListener("pagehide", () => {
    if (stored().appended) keep({ top: scrollY });
  });
  document.addEventListener("click", (event) => {
    const link = linkOf(event);
    if (!link) return;
    event.preventDefault();
    // The second press of a double click would append the page twice.
    if (link.ariaBusy) return;
    void append(link).then(
      (items) => {
        keep({ appended: (stored().appended ?? 0) + 1 });
        items[0]?.querySelector("a")?.focus();
      },
      () => location.assign(link.href),
    );
  });
}

const stored = (): Longer => (history.state as Longer | null) ?? {};

const keep = (longer: Longer) => history.replaceState({ ...stored(), ...longer }, "");

/** A browser that sends for the page again shows only its first part, and no place further down. */
async function appendAgain(longer: Longer | null) {
  if (!longer?.appended) return;
  for (let left = longer.appended; left > 0; left--) {
    const link = document.querySelector<HTMLAnchorElement>("[data-load-more] a");
    if (link) await append(link);
  }
  scrollTo(0, longer.top ?? 0);
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
    // It can be pressed again: Back may restore this page as it is now.
    link.ariaBusy = null;
    throw error;
  }
}

async function appendNext(link: HTMLAnchorElement) {
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
  return items;
}
