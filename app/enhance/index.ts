import { watchBuild } from "./build-check";
import { showCopyButtons } from "./copy-link";
import { showKeptDraft } from "./kept-draft";
import { forgetPersonalPage } from "./personal-page";
import { loadMoreInPlace } from "./load-more";

/** Enhancements of server-rendered pages. Every page works without them. */
forgetPersonalPage();
showCopyButtons();
showKeptDraft();
loadMoreInPlace();
watchBuild();
