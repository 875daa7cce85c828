import { FORM_DRAFTS } from "../forms/form-drafts-event";
import { passOnDrafts } from "./drafts-of-others";

const KEY = "viewer";

/**
 * Renews what the Back button restores without asking the server. A page from the browser's memory is
 * loaded anew if it is personal, if it was made for somebody signed in, who may have signed out in any tab
 * since, or if somebody has signed in or out in this tab. The server answers 304 to most of these. `no-store` is
 * not enough: WebKit obeys it over https only, and still restores typed fields.
 *
 * What was typed stays for the same person only. A visit is the time in which a tab shows its pages to one
 * viewer; the entry of the history keeps the visit in which somebody typed there.
 */
export function renewRestoredPage() {
  const { documentElement: page } = document;
  const { personal, viewer } = page.dataset;
  const isPersonal = personal !== undefined || Boolean(viewer);
  const [before, visit] = visitOf(viewer);
  addEventListener("pageshow", ({ persisted }) => {
    const isOther = persisted && sessionStorage.getItem(KEY) !== visit;
    // The page is hidden until it is loaded again, which takes seconds on a slow network: nobody must read the old one.
    page.hidden = isOther || (persisted && isPersonal);
    if (isOther) resetForms();
    if (page.hidden) location.reload();
  });
  const [navigation] = performance.getEntriesByType("navigation");
  const type = navigation instanceof PerformanceNavigationTiming ? navigation.type : "";
  const isBack = type === "back_forward";
  // A reload shows again what this tab has just shown.
  const isOthers = (isBack || type === "reload") && (typedIn() ?? (isBack ? "" : before)) !== visit;
  // At once, before anything reads the fields.
  if (isOthers) resetForms();
  addEventListener("input", () => {
    // The page's router keeps what else stands in its entry.
    if (typedIn() !== visit) history.replaceState({ ...stateOf(), visit }, "");
  });
  const renewFields = () => {
    // Again for a browser that restores late, unless somebody has typed by now.
    if (isOthers && typedIn() !== visit) resetForms();
    if (isBack && isPersonal) clearTypedFields();
    dispatchEvent(new Event(FORM_DRAFTS));
  };
  if (isOthers || (isBack && isPersonal)) addEventListener("pageshow", renewFields, { once: true });
  // This stands last, because it throws where a browser refuses its storage.
  sessionStorage.setItem(KEY, visit);
  if (viewer !== undefined && before !== visit) passOnDrafts(viewer, viewerIn(before));
}

/**
 * The visit before this page and that of this page, each with its number and its viewer. An error page may not
 * know its viewer. A session that lapses leads to the login page: whoever signs in there goes on with their visit
 * if it is the same person.
 */
function visitOf(viewer: string | undefined): [before: string | null, visit: string] {
  let before: string | null = null;
  try {
    before = sessionStorage.getItem(KEY);
  } catch {
    // Without storage a visit is known by its viewer.
  }
  const isLogin = document.querySelector("main [autocomplete=current-password]") !== null;
  const isSame = viewer === undefined || viewer === viewerIn(before) || (!viewer && isLogin);
  if (before !== null && isSame) return [before, before];
  return [before, `${parseInt(before ?? "0", 10) + 1}:${viewer ?? ""}`];
}

const viewerIn = (visit: string | null) => visit?.slice(visit.indexOf(":") + 1);

const stateOf = () => history.state as { visit?: string } | null;
const typedIn = () => stateOf()?.visit;

function resetForms() {
  for (const form of document.forms) form.reset();
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
