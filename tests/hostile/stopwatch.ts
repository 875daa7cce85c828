import { readFileSync } from "node:fs";

type Pid = () => number | undefined;

/** `ms`: at most the CPU time of the site. `wallMs`: by the clock. */
export type Taken = { ms: number; wallMs: number };

/**
 * Measures milliseconds, in `ms` at most the CPU time that the site has used since, where the kernel
 * tells it. Otherwise other work on the machine would count as slowness of the site. A site that only
 * waits uses no CPU time, so what took long by the clock is repeated alone (`repeat.ts`).
 */
export function stopwatch(pid: Pid, worked: (pid: number | undefined) => number): () => Taken {
  const [start, before] = [performance.now(), worked(pid())];
  return () => {
    const wallMs = performance.now() - start;
    const own = worked(pid()) - before;
    return { wallMs, ms: Number.isNaN(own) ? wallMs : Math.min(wallMs, own) };
  };
}

/** CPU time of the main thread in milliseconds; NaN where the kernel does not tell it. */
export function threadTime(pid: number | undefined): number {
  const [running] = read(`/proc/${pid}/schedstat`);
  return Number(running) / 1e6;
}

/** CPU time of all threads in milliseconds. The kernel counts user and system time in hundredths of a second. */
export function processTime(pid: number | undefined): number {
  const fields = read(`/proc/${pid}/stat`);
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function read(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split(" ");
  } catch {
    return [];
  }
}
