/** What is wrong in a file, for the person who wrote it. */
export type Fault = { file: string; line: number; message: string };

/** Content that is refused as a whole; one `file:line: what is wrong` for each fault. */
export class ContentRefused extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const sorted = [...faults].sort((a, b) => compare(a.file, b.file) || a.line - b.line);
    super(sorted.map(({ file, line, message }) => `${file}:${line}: ${message}`).join("\n"));
    this.faults = sorted;
  }
}

const compare = (a: string, b: string) => Number(a > b) - Number(a < b);
