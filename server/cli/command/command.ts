import { parseArgs } from "node:util";

type Arguments = {
  words: string[];
  options: Record<string, string | undefined>;
  flags: ReadonlySet<string>;
};

type Command = {
  help: string;
  /** Options with a value: `--name text`. */
  options?: readonly string[];
  /** Options without a value: `--name`. */
  flags?: readonly string[];
  /** @returns the exit code, when it is not 0; @throws Error in one line */
  run: (args: Arguments) => Promise<number | void>;
};

/**
 * Builds the `main` of one command: `--help` prints the help; bad input prints one line and exits
 * with 1.
 */
export function command({ help, options: texts = [], flags = [], run }: Command) {
  return async (argv: readonly string[]): Promise<number> => {
    try {
      const { values, words } = parse(argv, texts, flags);
      const set = new Set(flags.filter((name) => values[name] === true));
      if (values.help !== true) {
        return (await run({ words, options: textsOf(values), flags: set })) ?? 0;
      }
      console.log(help);
      return 0;
    } catch (error) {
      console.error(error instanceof Error ? error.message : String(error));
      return 1;
    }
  };
}

function parse(argv: readonly string[], texts: readonly string[], flags: readonly string[]) {
  const options = {
    ...Object.fromEntries(texts.map((name) => [name, { type: "string" }] as const)),
    ...Object.fromEntries(flags.map((name) => [name, { type: "boolean" }] as const)),
    help: { type: "boolean", short: "h" },
  } as const;
  const { values, positionals } = oneLine(() =>
    parseArgs({ args: [...argv], options, allowPositionals: true }),
  );
  const given: Record<string, unknown> = values;
  return { values: given, words: positionals };
}

/** Keeps the first line of an error, and says in one what Node explains in three. */
function oneLine<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const [line = ""] = String(error instanceof Error ? error.message : error).split("\n", 1);
    const [option] = (line.includes(" is ambiguous") && /--[\w-]+/.exec(line)) || [];
    if (!option) throw new Error(line);
    throw new Error(`${option}: a value that begins with a dash is given as ${option}=<value>`);
  }
}

function textsOf(values: Record<string, unknown>): Arguments["options"] {
  const isText = (entry: [string, unknown]): entry is [string, string] =>
    typeof entry[1] === "string";
  return Object.fromEntries(Object.entries(values).filter(isText));
}
