import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run load -- <name>`: what is too long for every change; `npm run build` comes first. */
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  test: {
    environment: "node",
    include: ["tests/load/*.load.ts"],
    globalSetup: "tests/support/postgres.ts",
    testTimeout: 420_000,
    // Two crowds at once would measure each other.
    fileParallelism: false,
  },
});
