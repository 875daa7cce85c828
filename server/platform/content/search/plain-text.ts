/** A paragraph, heading, item or cell of an article. */
export type Block = { text: string; isHeading: boolean };

const TAG = /<([^<>]+)>/g;
const NAME = /^\/?(\w+)/;
/** Inside a sentence: their tags separate no words. */
const INLINE = new Set(["a", "abbr", "b", "code", "em", "i", "s", "small", "strong", "sub", "sup"]);
const HEADING = /^h\d$/;
/** What the renderer of Markdown writes for signs of HTML. */
const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

/** The texts of an article's HTML, as it is stored: rendered by the platform, so that `<` only opens tags. */
export function blocksOf(html: string): Block[] {
  const blocks: Block[] = [];
  let text = "";
  let isHeading = false;
  let end = 0;
  const close = () => {
    const plain = decode(text).replace(/\s+/g, " ").trim();
    if (plain) blocks.push({ text: plain, isHeading });
    text = "";
  };
  for (const { 0: tag, 1: inside = "", index } of html.matchAll(TAG)) {
    text += html.slice(end, index);
    end = index + tag.length;
    const name = NAME.exec(inside)?.[1] ?? "";
    if (INLINE.has(name)) continue;
    close();
    isHeading = HEADING.test(name) && !inside.startsWith("/");
  }
  text += html.slice(end);
  close();
  return blocks;
}

const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
