type Cell = string | number | null | undefined;

/** Rows under their heads in columns, as Markdown, so that docs/performance.md can take it over. */
export function table(heads: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [heads, ...rows].map((row) => row.map((cell) => String(cell ?? "")));
  const widths = heads.map((_, at) => Math.max(3, ...lines.map((line) => line[at]?.length ?? 0)));
  const draw = (line: readonly string[]) =>
    `| ${widths.map((width, at) => (line[at] ?? "").padEnd(width)).join(" | ")} |`;
  const [head = [], ...body] = lines;
  const rule = widths.map((width) => "-".repeat(width));
  return [draw(head), draw(rule), ...body.map(draw)].join("\n");
}

/** Writes a table to the output, below the JSON lines. */
export const printTable = (heads: readonly string[], rows: readonly (readonly Cell[])[]) =>
  process.stdout.write(`\n${table(heads, rows)}\n\n`);

/** Writes one measurement as a JSON line. */
export const printFigures = (figures: object) =>
  process.stdout.write(`${JSON.stringify(figures)}\n`);
