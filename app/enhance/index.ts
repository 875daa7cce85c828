import { watchBuild } from "./build-check";
import { showCopyButtons } from "./copy-link";
import { showDialogs } from "./dialogs";
import { offerTranslationHere } from "./english";
import { keepFormDrafts } from "./form-drafts";
import { hydrate } from "./hydrate";
import { showKeptDraft } from "./kept-draft";
import { loadMoreInPlace } from "./load-more";
import { fetchNextPage } from "./next-page";
import { renewRestoredPage } from "./restored-page";

/** Enhancements of server-rendered pages. Every page works without them. */
showCopyButtons();
showKeptDraft();
offerTranslationHere();
loadMoreInPlace();
watchBuild();
fetchNextPage();
// The focus that a dialog takes is no touch.
showDialogs();
hydrate();
// Last: a browser may refuse its storage, and then what follows would not run.
renewRestoredPage();
keepFormDrafts();
