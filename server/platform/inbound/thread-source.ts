import { resolve } from "node:path";

const BUILT = "build/host/mail-thread.js";
const SOURCE = "server/platform/inbound/thread.ts";

/** A file name, or code when `isCode`. */
type ThreadSource = { source: string; isCode: boolean };

let bundled: Promise<ThreadSource> | undefined;

/** The code of the worker thread: a file of the build, or bundled by Vite when running from sources. */
export async function threadSource(): Promise<ThreadSource> {
  if (import.meta.env.PROD) return { source: resolve(BUILT), isCode: false };
  return (bundled ??= bundle());
}

async function bundle(): Promise<ThreadSource> {
  const { build } = await import("vite");
  const made = await build({
    configFile: false,
    logLevel: "error",
    publicDir: false,
    build: {
      ssr: SOURCE,
      target: "node20",
      write: false,
      rollupOptions: { output: { format: "cjs" } },
    },
  });
  const [bundle] = Array.isArray(made) ? made : [made];
  const [file] = bundle && "output" in bundle ? bundle.output : [];
  if (!file) throw new Error(`${SOURCE} cannot be bundled`);
  return { source: file.code, isCode: true };
}
