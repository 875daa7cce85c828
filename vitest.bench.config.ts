import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** `npm run bench -- <name>`: measurements, which print their figures as JSON lines. */
export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  test: {
    environment: "node",
    include: ["tests/bench/*.bench.ts"],
    globalSetup: "tests/support/postgres.ts",
    testTimeout: 240_000,
    // Two measurements at once would measure each other.
    fileParallelism: false,
  },
});
