import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { MIN_COMPRESSED_BYTES } from "./http/encoding";

const TEXT = /\.(?:css|html|ico|js|json|mjs|svg|txt|webmanifest|xml)$/;
/** A file that stays above this share of its size is not kept compressed. */
const WORTH_IT = 0.95;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** Compresses the public files at build time, with the highest quality. */
export async function precompress(folder: string) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && TEXT.test(entry.name));
  await Promise.all(files.map((entry) => precompressFile(join(entry.parentPath, entry.name))));
}

async function precompressFile(file: string) {
  const body = await readFile(file);
  if (body.byteLength < MIN_COMPRESSED_BYTES) return;
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(body, BROTLI),
    promisify(gzip)(body, { level: 9 }),
  ]);
  const isWorthIt = (compressed: Buffer) => compressed.byteLength < body.byteLength * WORTH_IT;
  if (isWorthIt(br)) await writeFile(`${file}.br`, br);
  if (isWorthIt(gz)) await writeFile(`${file}.gz`, gz);
}
