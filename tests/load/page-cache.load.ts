import { it } from "vitest";
import { tryToGetOtherPages } from "../host/page-cache-sequences";

const TIMEOUT_MS = 20 * 60_000;

it("no sequence of requests gets a page of others", () => tryToGetOtherPages(5_000), TIMEOUT_MS);
