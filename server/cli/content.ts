import { readConfig } from "../../app/config.server";
import type { Content } from "../platform/content/content";
import { retireDemoContent } from "../platform/content/demo-content";
import { draftLinks, draftPath } from "../platform/content/draft-link";
import { exportContent } from "../platform/content/export";
import { checkContent, importContent } from "../platform/content/import";
import { listWaiting } from "../platform/content/waiting";
import { command } from "./command/command";
import { withDatabase } from "./command/with-database";

const HELP = `Usage: npm run content -- <command>

  import <dir>   add and replace what the folder holds: all of it, or nothing where one file is faulty
  export <dir>   write all content as Markdown files
  check <dir>    read the folder as import would, and write nothing
  drafts         list what is imported and not published, drafts and articles of a later date, each with a
                 link that shows it for seven days
  retire-demo    remove the articles, authors and pictures of the demonstration for good; those that
                 were changed are yours and stay, and so do categories, tags and pages

A folder holds articles/, authors/, categories/, tags/, pages/ and medias/ with one <uid>.md each,
images (medias/<name>.jpg, .png, .webp, .avif or .svg) and redirects.yaml; what it does not hold stays as it is, so that a folder with one file in it, such
as pages/privacy.md, imports that file alone. DATABASE_URL or DATA_DIR say which database, as for the site.`;

export const main = command({
  help: HELP,
  run: async ({ words }) => {
    const [name = "", directory, ...rest] = words;
    const task = tasks.get(name);
    if (name === "retire-demo" && directory === undefined) return retireDemo();
    if (name === "drafts" && directory === undefined) return listDrafts();
    if (!task) {
      throw new Error(
        `Say import, export, check, drafts or retire-demo, not "${name}"; --help tells more`,
      );
    }
    if (!directory || rest.length) throw new Error(`${name} takes one folder; --help tells more`);
    return task(directory);
  },
});

const tasks = new Map([
  ["import", importFrom],
  ["check", checkFolder],
  ["export", exportTo],
]);

async function importFrom(directory: string) {
  const imported = await withDatabase(async (open) => importContent(await open(), directory), {
    creates: true,
  });
  printNotices(imported);
  console.log(`Imported ${counts(imported)}`);
  return 0;
}

async function checkFolder(directory: string) {
  const content = await withDatabase((open) => checkContent(directory, open), { creates: true });
  printNotices(content);
  console.log(`In order: ${counts(content)}`);
  return 0;
}

async function exportTo(directory: string) {
  const { files, leftOut } = await withDatabase(async (open) =>
    exportContent(await open(), directory),
  );
  console.log(`Exported ${files} files`);
  if (leftOut.length) console.error(`Never imported, not exported: ${leftOut.join(", ")}`);
  return leftOut.length ? 1 : 0;
}

async function listDrafts() {
  const { siteUrl = "", secrets } = readConfig(process.env);
  const links = draftLinks(secrets);
  const now = new Date();
  const waiting = await withDatabase(async (open) => listWaiting(await open()));
  for (const { uid, publishAt } of waiting) {
    const link = `${siteUrl}${draftPath(uid, links.tokenOf(uid, now))}`;
    console.log(`${uid}: ${publishAt ?? "draft"}, ${link}`);
  }
  return 0;
}

async function retireDemo() {
  const { contentDir } = readConfig(process.env);
  const { articles, authors, medias } = await withDatabase(async (open) =>
    retireDemoContent({ db: await open(), contentDir }),
  );
  const counts = [
    `article ${articles.length}`,
    `author ${authors.length}`,
    `media ${medias.length}`,
  ];
  console.log(`Removed ${counts.join(", ")}`);
  return 0;
}

function printNotices({ notices }: Content) {
  for (const { file, line, message } of notices) console.log(`${file}:${line}: ${message}`);
}

function counts({ rows, images }: Content) {
  const kinds = ["article", "author", "category", "tag", "page", "media", "redirection"] as const;
  const entries = kinds.map((kind) => `${kind} ${rows[kind].length}`);
  return [...entries, `image ${images.length}`].join(", ");
}
