import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  test: {
    environment: "node",
    include: ["tests/**/*.test.{ts,tsx}"],
    globalSetup: ["tests/support/postgres.ts", "tests/support/fresh.ts"],
    // Much of a test is waiting: for a database, a browser, a bank.
    maxWorkers: "100%",
    // Journeys start whole sites and browsers, several at a time.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ["default", ["json", { outputFile: "build/test-results.json" }]],
  },
});
