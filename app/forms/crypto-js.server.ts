import { randomBytes } from "node:crypto";

/**
 * Stands in the place of `crypto-js` (`vite.config.ts`), which is no longer maintained and which
 * `remix-utils/honeypot` imports. Of its functions the honeypot calls `random` alone: the others
 * belong to the time field, which is switched off (`read.server.ts`).
 */
const cryptoJs = {
  lib: { WordArray: { random: (bytes: number) => randomBytes(bytes).toString("hex") } },
};

// As the package exports it.
export { cryptoJs as default };
