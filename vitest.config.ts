import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  resolve: { alias: { "~": at("./app"), "crypto-js": at("./app/forms/crypto-js.server.ts") } },
  test: {
    // As in the build (vite.config.ts): only what is inlined can be given another `crypto-js`.
    server: { deps: { inline: ["remix-utils"] } },
    environment: "node",
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: "tests/support/seed.ts",
    globalSetup: [
      "tests/support/memory-folder.ts",
      "tests/support/postgres.ts",
      "tests/support/fresh.ts",
    ],
    // Much of a test is waiting: for a database, a browser, a bank.
    maxWorkers: availableParallelism() + 1,
    // Journeys start whole sites and browsers, several at a time.
    testTimeout: 180_000,
    hookTimeout: 120_000,
    // A page that hydrates beside them takes more than the second that is usual.
    expect: { poll: { timeout: 40_000 } },
    reporters: ["default", ["json", { outputFile: "build/test-results.json" }]],
  },
});
