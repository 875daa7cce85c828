import fc from "fast-check";
import { callRequest } from "./calls";
import { formRequest } from "./forms";
import { pageRequest } from "./pages";
import type { HostileRequest } from "./request";
import { rawRequest, trick } from "./tricks";

/** Mostly calls, which take a tenth of the time of a page, so that the run ends in minutes. */
const sent = fc.oneof(
  { weight: 66, arbitrary: callRequest },
  { weight: 22, arbitrary: formRequest },
  { weight: 8, arbitrary: pageRequest },
);

const tricked = fc
  .tuple(sent, fc.array(trick, { minLength: 1, maxLength: 2 }))
  .map(([request, tricks]) => tricks.reduce((changed, change) => change(changed), request));

export const hostileRequest: fc.Arbitrary<HostileRequest> = fc.oneof(
  { weight: 65, arbitrary: sent },
  { weight: 32, arbitrary: tricked },
  { weight: 3, arbitrary: rawRequest },
);
