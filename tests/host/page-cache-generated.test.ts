import { it } from "vitest";
import { tryToGetOtherPages } from "./page-cache-sequences";

/** `npm run load -- page-cache` tries 5,000. */
const SEQUENCES = 200;

it("no sequence of requests gets a page of others", () => tryToGetOtherPages(SEQUENCES));
