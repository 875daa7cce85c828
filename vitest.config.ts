import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

type Tests = {
  include: string[];
  exclude?: string[];
  isolate: boolean;
  setupFiles?: string[];
  env?: Record<string, string>;
};

/** React as visitors get it: the one for developers takes half as long again for a page. */
const BUILT = { NODE_ENV: "production" };

function project(name: string, tests: Tests): TestProjectInlineConfiguration {
  return {
    resolve: {
      alias: {
        "~": at("./app"),
        "crypto-js": at("./app/forms/crypto-js.server.ts"),
      },
    },
    test: {
      name,
      include: tests.include,
      exclude: tests.exclude ?? [],
      isolate: tests.isolate,
      env: tests.env ?? {},
      // As in the build (vite.config.ts): only what is inlined can be given another `crypto-js`.
      server: { deps: { inline: ["remix-utils"] } },
      environment: "node",
      setupFiles: ["tests/support/seed.ts", ...(tests.setupFiles ?? [])],
      // Journeys start whole sites and browsers, several at a time.
      testTimeout: 180_000,
      hookTimeout: 120_000,
      // A page that hydrates beside them takes more than the second that is usual.
      expect: { poll: { timeout: 40_000 } },
    },
  };
}

export default defineConfig({
  test: {
    // Here and not in the projects, which would each start databases of their own.
    globalSetup: [
      "tests/support/memory-folder.ts",
      "tests/support/postgres.ts",
      "tests/support/fresh.ts",
    ],
    // Much of a test is waiting: for a database, a browser, a bank.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Each test opens a platform of its own; loading its modules once a file took a tenth of the time.
      project("platform", {
        include: ["tests/platform/**/*.test.ts"],
        isolate: false,
        setupFiles: ["tests/support/argon2.ts", "tests/support/stripe-retries.ts"],
      }),
      // Each file has a database of its own, and all have the site with its usual variables.
      project("pages", {
        include: ["tests/pages/*.test.ts"],
        isolate: false,
        env: BUILT,
        setupFiles: ["tests/support/argon2.ts", "tests/support/stripe-retries.ts"],
      }),
      // Each file sets variables that the built site reads once, or claims something about a whole process.
      project("apart", {
        include: ["tests/pages/apart/*.test.ts"],
        isolate: true,
        env: BUILT,
        setupFiles: ["tests/support/argon2.ts", "tests/support/stripe-retries.ts"],
      }),
      // They read the sources with large tools, which took as long to load as to work.
      project("sources", {
        include: ["tests/architecture/**/*.test.ts"],
        isolate: false,
      }),
      project("site", {
        include: ["tests/**/*.test.{ts,tsx}"],
        exclude: ["tests/platform/**", "tests/pages/**", "tests/architecture/**"],
        isolate: true,
      }),
    ],
    reporters: ["default", ["json", { outputFile: "build/test-results.json" }]],
  },
});
