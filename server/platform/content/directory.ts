import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ContentRefused, type Fault } from "./faults";
import { formats, isUid, type Kind } from "./formats";
import type { ImageFile } from "./images/inspect";
import { isImageName, NAMING } from "./images/names";

export const REDIRECTS_FILE = "redirects.yaml";

export type ContentFile = { kind: Kind; uid: string; file: string; source: string };

export type ContentFiles = {
  entries: ContentFile[];
  /** Read only when they are needed. */
  images: ImageFile[];
  redirects: { file: string; source: string } | null;
  faults: Fault[];
};

/**
 * Reads `articles/*.md`, `authors/*.md` … and `redirects.yaml` of a folder, and finds its images, `medias/*.jpg` …
 * @throws ContentRefused when there is no such folder
 */
export async function readDirectory(directory: string): Promise<ContentFiles> {
  const found: ContentFiles = { entries: [], images: [], redirects: null, faults: [] };
  found.images = await listImages(directory);
  for (const name of await listNames(directory)) {
    const path = join(directory, name);
    if (isKind(name)) await readFolder(path, name, found);
    else if (name === REDIRECTS_FILE) {
      const source = await readText(path, found.faults);
      if (source !== null) found.redirects = { file: path, source };
    } else if (name !== "README.md") {
      const known = [...Object.keys(formats), REDIRECTS_FILE].join(", ");
      found.faults.push({ file: path, line: 1, message: `unknown name; known are ${known}` });
    }
  }
  const parts = [found.entries, found.images, found.faults];
  const empty = parts.every((part) => part.length === 0) && !found.redirects;
  if (empty) throw new ContentRefused([{ file: directory, line: 1, message: "holds no content" }]);
  return found;
}

/** The images of a folder of content, without reading them. */
export async function listImages(directory: string): Promise<ImageFile[]> {
  const folder = join(directory, "medias" satisfies Kind);
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (codeOf(error) === "ENOENT") return [];
    throw unreadable(folder, error);
  });
  return names
    .filter(isImageName)
    .sort()
    .map((name) => ({ name, file: join(folder, name) }));
}

async function readFolder(folder: string, kind: Kind, found: ContentFiles) {
  for (const name of await listNames(folder)) {
    const file = join(folder, name);
    if (kind === "medias" && !name.endsWith(".md")) {
      if (!isImageName(name)) found.faults.push({ file, line: 1, message: NAMING });
      continue;
    }
    const uid = name.replace(/\.md$/, "");
    if (uid === name || !isUid(uid)) {
      const message = "a file's name is its uid (letters, digits, - and _) and .md";
      found.faults.push({ file, line: 1, message });
      continue;
    }
    const source = await readText(file, found.faults);
    if (source !== null) found.entries.push({ kind, uid, file, source });
  }
}

/** File names without hidden files, sorted so that concurrent imports lock rows in the same order. */
async function listNames(folder: string) {
  try {
    return (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  } catch (error) {
    throw unreadable(folder, error);
  }
}

const unreadable = (file: string, error: unknown) =>
  new ContentRefused([{ file, line: 1, message: `no folder to read (${codeOf(error)})` }]);

async function readText(file: string, faults: Fault[]) {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(await readFile(file));
    if (!text.includes("\0")) return text.replace(/\r\n?/g, "\n");
    faults.push({ file, line: 1, message: "is no text (it holds a NUL character)" });
  } catch (error) {
    const message =
      error instanceof TypeError ? "is not UTF-8" : `cannot be read (${codeOf(error)})`;
    faults.push({ file, line: 1, message });
  }
  return null;
}

const isKind = (name: string): name is Kind => Object.hasOwn(formats, name);

function codeOf(error: unknown) {
  return error instanceof Error && "code" in error ? String(error.code) : String(error);
}
