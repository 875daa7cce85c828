/** An error in a content file, worded for its author. */
export type Fault = { file: string; line: number; message: string };

/** The whole import is refused; the message has one `file:line: fault` per line. */
export class ContentRefused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const sorted = [...faults].sort((a, b) => compare(a.file, b.file) || a.line - b.line);
    super(sorted.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
    this.faults = sorted;
  }
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
