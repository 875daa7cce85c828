const KEY = "viewer";

/**
 * Loads a page anew that the Back button restores from memory, if somebody has signed in or out in this
 * tab since: it shows the other one's header, and the whole or the short text of an article. The browser
 * does not ask the server.
 */
export function renewRestoredPage() {
  const { viewer = "" } = document.documentElement.dataset;
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted && sessionStorage.getItem(KEY) !== viewer) location.reload();
  });
  sessionStorage.setItem(KEY, viewer);
}
