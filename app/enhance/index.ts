import { watchBuild } from "./build-check";
import { offerCopy } from "./copy-link";
import { leaveNothing } from "./leave-nothing";
import { loadMoreInPlace } from "./load-more";

/** Additions for pages as the server sent them; each page is whole without. */
leaveNothing();
offerCopy();
loadMoreInPlace();
watchBuild();
