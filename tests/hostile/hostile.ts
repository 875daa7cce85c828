import fc from "fast-check";
import { callRequest } from "./calls";
import { formRequest } from "./forms";
import { pageRequest } from "./pages";
import type { HostileRequest } from "./request";
import { rawRequest, trick } from "./tricks";

/** Mostly calls, which cost a tenth of a page: twenty thousand are to end in a minute or two. */
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
