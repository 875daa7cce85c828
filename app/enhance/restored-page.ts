import { LOGIN } from "../paths";
import { navigationType } from "./navigation-type";

const KEY = "viewer";

/**
 * Renews what the Back button restores without asking the server. A page from the browser's memory is
 * loaded anew if it is personal, if it was made for somebody signed in, who may have signed out in any tab
 * since, or if somebody has signed in in this tab. The server answers 304 to most of these. `no-store` is not
 * enough: WebKit obeys it over https only, and still restores typed fields.
 */
export function renewRestoredPage() {
  const { documentElement: page } = document;
  const { personal, viewer = "" } = page.dataset;
  const isPersonal = personal !== undefined || viewer !== "";
  addEventListener("pageshow", ({ persisted }) => {
    // The page is hidden until it is loaded again, which takes seconds on a slow network: nobody must read the old one.
    page.hidden = persisted && (isPersonal || sessionStorage.getItem(KEY) !== viewer);
    if (page.hidden) location.reload();
  });
  if (navigationType() === "back_forward" && isPersonal) {
    addEventListener("pageshow", clearTypedFields, { once: true });
  }
  // An error page may not know its viewer, and a session that lapses leads to the login page: the same person goes on.
  if (page.dataset.viewer === undefined || (!viewer && location.pathname === LOGIN)) return;
  // This stands last, because it throws where a browser refuses its storage. Who signs out leaves no drafts.
  if (!viewer && sessionStorage.getItem(KEY)) sessionStorage.clear();
  sessionStorage.setItem(KEY, viewer);
}

/**
 * Empties fields with an autocomplete value: they hold personal data. Messages and searches have
 * none.
 */
function clearTypedFields() {
  for (const field of document.querySelectorAll("input")) {
    if (!["", "on", "off"].includes(field.autocomplete)) field.value = field.defaultValue;
  }
}
