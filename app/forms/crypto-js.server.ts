import { randomBytes } from "node:crypto";

/**
 * Replaces `crypto-js` (see `vite.config.ts`), which is unmaintained but imported by
 * `remix-utils/honeypot`. The honeypot calls `random` only. Its other functions serve the time field,
 * which is switched off (`read.server.ts`).
 */
const cryptoJs = {
  lib: { WordArray: { random: (bytes: number) => randomBytes(bytes).toString("hex") } },
};

// The package has a default export.
export { cryptoJs as default };
