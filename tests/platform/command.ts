import { vi } from "vitest";

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
