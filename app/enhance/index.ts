import { watchBuild } from "./build-check";
import { showCopyButtons } from "./copy-link";
import { forgetPersonalPage } from "./personal-page";
import { loadMoreInPlace } from "./load-more";

/** Additions for pages as the server sent them; each page is whole without. */
forgetPersonalPage();
showCopyButtons();
loadMoreInPlace();
watchBuild();
