import { readFileSync } from "node:fs";

type Pid = () => number | undefined;

/**
 * Milliseconds since now, but no more than the site itself has worked meanwhile, where the kernel
 * tells: a machine that is busy with other tests makes everybody wait, and is no fault of the site.
 */
export function stopwatch(pid: Pid, worked: (pid: number | undefined) => number): () => number {
  const [start, before] = [performance.now(), worked(pid())];
  return () => {
    const wall = performance.now() - start;
    const own = worked(pid()) - before;
    return Number.isNaN(own) ? wall : Math.min(wall, own);
  };
}

/** Of the thread that answers; NaN where nobody tells. */
export function threadTime(pid: number | undefined): number {
  const [running] = read(`/proc/${pid}/schedstat`);
  return Number(running) / 1e6;
}

/** Of all threads, such as those that hash passwords: user and system time in hundredths of a second. */
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
