import { it } from "vitest";
import { tryToGetOtherPages } from "./page-cache-sequences";

/** `npm run load -- page-cache` tries 5,000. */
const SEQUENCES = 200;

it("no sequence of requests gets another's page, or one of a right that ended", () =>
  tryToGetOtherPages(SEQUENCES));
