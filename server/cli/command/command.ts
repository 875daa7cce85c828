import { parseArgs } from "node:util";

type Arguments = { words: string[]; options: Record<string, string | undefined> };

type Command = {
  help: string;
  /** Names of options that take a text: `--name text`. */
  options?: readonly string[];
  /** @returns the exit code, when it is not 0; @throws Error in one line */
  run: (args: Arguments) => Promise<number | void>;
};

/** The entry of one command: help on `--help`, one clear line and exit code 1 on bad input. */
export function command({ help, options: names = [], run }: Command) {
  return async (argv: readonly string[]): Promise<number> => {
    try {
      const { values, words } = parse(argv, names);
      if (values.help !== true) return (await run({ words, options: textsOf(values) })) ?? 0;
      console.log(help);
      return 0;
    } catch (error) {
      console.error(error instanceof Error ? error.message : String(error));
      return 1;
    }
  };
}

function parse(argv: readonly string[], names: readonly string[]) {
  const texts = names.map((name) => [name, { type: "string" }] as const);
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(texts), help: { type: "boolean", short: "h" } },
    allowPositionals: true,
  });
  return { values, words: positionals };
}

function textsOf(values: Record<string, unknown>): Arguments["options"] {
  const texts = Object.entries(values).filter((entry) => typeof entry[1] === "string");
  return Object.fromEntries(texts) as Record<string, string>;
}
