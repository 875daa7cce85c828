import { vi } from "vitest";
import type { TestPlatform } from "../support/platform";

/** Runs a command as `npm run` does, in this process; what it prints comes back line by line. */
export async function runCommand(main: (argv: string[]) => Promise<number>, argv: string[]) {
  const [out, error]: [string[], string[]] = [[], []];
  const log = vi.spyOn(console, "log").mockImplementation((line) => void out.push(line));
  const warn = vi.spyOn(console, "error").mockImplementation((line) => void error.push(line));
  try {
    return { code: await main(argv), out, error };
  } finally {
    log.mockRestore();
    warn.mockRestore();
  }
}

type Main = Parameters<typeof runCommand>[0];

/** Runs a command on the platform's database and at its time; the caller unstubs the environment. */
export async function runAt({ place, clock }: TestPlatform, main: Main, argv: string[]) {
  vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
  vi.stubEnv("DATA_DIR", place.dataDir);
  vi.useFakeTimers({ toFake: ["Date"], now: clock.now() });
  try {
    return await runCommand(main, argv);
  } finally {
    vi.useRealTimers();
  }
}
