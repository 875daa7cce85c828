import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { precompress } from "./server/host/precompress";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const commands = readdirSync(at("server/cli"))
  .filter((file) => file.endsWith(".ts"))
  .map((file): [string, string] => [`cli-${file.slice(0, -3)}`, at(`server/cli/${file}`)]);

const mailThread: [string, string] = ["mail-thread", at("server/platform/inbound/thread.ts")];

/** The host, the thread that reads mails, and the commands: build/host/cli-*.js. */
export default defineConfig({
  resolve: { alias: { "~": at("app") } },
  plugins: [precompressClient()],
  publicDir: false,
  build: {
    ssr: true,
    target: "node20",
    outDir: "build/host",
    rollupOptions: {
      input: Object.fromEntries([["index", at("server/index.ts")], mailThread, ...commands]),
      output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
    },
  },
});

/** Runs after the Remix build, whose files it compresses. */
function precompressClient(): Plugin {
  return { name: "precompress-client", closeBundle: () => precompress(at("build/client")) };
}
