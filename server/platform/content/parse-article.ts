import type { Content } from "./content";
import { cutAtMarker } from "./vip-marker";
import type { Front } from "./formats";
import { addFaults, addReference, renderBody, type MarkdownFile } from "./markdown-file";

const WORDS_PER_MINUTE = 230;

export function addArticle(sheet: MarkdownFile<Front<"articles">>, into: Content) {
  const { uid, front } = sheet;
  addReferences(sheet, into);
  addFormerUids(sheet, into);
  const parts = cutAtMarker(sheet.body, sheet.bodyLine, front.access);
  if ("faults" in parts) return addFaults(sheet, into, parts.faults);
  const opening = renderBody(sheet, into, { body: parts.opening, bodyLine: sheet.bodyLine });
  const remainder = renderBody(sheet, into, {
    body: parts.remainder,
    bodyLine: parts.remainderLine,
  });
  if (!opening.text)
    return addFaults(sheet, into, [{ line: sheet.bodyLine, message: "has no text" }]);
  if (front.draft) into.drafts.add(uid);
  into.rows.article.push({
    uid,
    title: front.title,
    summary: front.summary,
    date: front.date,
    author_uid: front.author,
    category_uid: front.category,
    restricted: front.access === "vip" ? 1 : 0,
    opening: opening.html,
    remainder: remainder.html,
    reading_minutes: Math.max(1, Math.round((opening.words + remainder.words) / WORDS_PER_MINUTE)),
    menu: front.menu,
  });
}

function addReferences(sheet: MarkdownFile<Front<"articles">>, into: Content) {
  const { uid, front } = sheet;
  addReference(sheet, into, "author", front.author, "author");
  addReference(sheet, into, "category", front.category, "category");
  for (const [position, tag_uid] of front.tags.entries()) {
    addReference(sheet, into, "tag", tag_uid, "tags", position);
    into.rows.article_tag.push({
      article_uid: uid,
      tag_uid,
      position,
      date: front.date,
      category_uid: front.category,
      author_uid: front.author,
    });
  }
  for (const [position, related_uid] of front.related.entries()) {
    if (related_uid === uid) {
      const line = sheet.lineOf("related", position);
      addFaults(sheet, into, [{ line, message: "related: names the article itself" }]);
    }
    addReference(sheet, into, "article", related_uid, "related", position);
    into.rows.article_relation.push({ article_uid: uid, related_uid, position });
  }
}

function addFormerUids({ uid, front, ...sheet }: MarkdownFile<Front<"articles">>, into: Content) {
  for (const [position, former] of front.formerly.entries()) {
    into.former.push({
      uid: former,
      by: uid,
      file: sheet.file,
      line: sheet.lineOf("formerly", position),
    });
  }
}
