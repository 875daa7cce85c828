import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { typography } from "./typography";

/** A line of the text, from 1, and what is wrong there. */
export type TextFault = { line: number; message: string };

const LINK = /^(?:\/(?!\/)|https:\/\/[^/])/;
const IMAGE = /^(?:\/medias\/(?!.*(?:\.|%2e){2})|https:\/\/[^/])/i;
const WORD = /[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
// Every link becomes a token: the guard below refuses by name what would silently stay text.
markdown.validateLink = () => true;

export const { escapeHtml } = markdown.utils;

export type Rendered = { html: string; words: number; text: string; faults: TextFault[] };

/** Safe HTML: no raw HTML, links in the site or by https, French typography. */
export function renderMarkdown(source: string): Rendered {
  const environment = {};
  const tokens = markdown.parse(source, environment);
  const faults = [...guardBlocks(tokens), ...guardInlines(tokens)];
  for (const token of tokens) setTypography(token.children ?? []);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  const text = tokens.map(textOf).filter(Boolean).join(" ");
  return { html: html.trim(), words: text.match(WORD)?.length ?? 0, text, faults };
}

function guardBlocks(tokens: Token[]) {
  const faults: TextFault[] = [];
  for (const token of tokens) {
    if (token.type === "heading_open" && token.tag === "h1") {
      const line = (token.map?.[0] ?? 0) + 1;
      faults.push({ line, message: "headings start at ##: the title is the only #" });
    }
    // Aligned columns would carry inline styles, which the site's CSP refuses.
    if (token.type === "th_open" || token.type === "td_open") token.attrs = null;
  }
  return faults;
}

function guardInlines(tokens: Token[]) {
  const faults: TextFault[] = [];
  let line = 1;
  for (const { type, map, children } of tokens) {
    // Cells of a table have no place of their own: their row's counts.
    line = map ? map[0] + 1 : line;
    if (type === "inline") guardLinks(children ?? [], line, faults);
  }
  return faults;
}

/** Takes away the address that is refused, so that it is safe whoever reads the faults. */
function guardLinks(children: Token[], firstLine: number, faults: TextFault[]) {
  let line = firstLine;
  for (const token of children) {
    if (token.type === "softbreak" || token.type === "hardbreak") line += 1;
    const target = String(token.attrGet("href") ?? "");
    if (token.type === "link_open" && !LINK.test(target)) {
      faults.push({ line, message: `link to "${target}": only /path or https://` });
      token.attrSet("href", "");
    }
    if (token.type === "image") guardImage(token, line, faults);
  }
}

function guardImage(token: Token, line: number, faults: TextFault[]) {
  const source = String(token.attrGet("src") ?? "");
  if (!token.content.trim()) {
    faults.push({ line, message: `image "${source}" has no alternative text` });
  }
  if (!IMAGE.test(source)) {
    faults.push({ line, message: `image "${source}": only /medias/… or https://` });
    token.attrSet("src", "");
  }
  token.attrSet("loading", "lazy");
}

/** Sentences run through emphasis and links, so each text is set after the one before it. */
function setTypography(children: Token[]) {
  let before = "";
  for (const [i, token] of children.entries()) {
    if (token.type === "text" && !opensAutolink(children[i - 1])) {
      token.content = typography(token.content, before);
    }
    if (token.type === "image") setTypography(token.children ?? []);
    if (token.content) before = token.content.slice(-1);
    else if (token.type.endsWith("break")) before = "";
  }
}

/** The text of `<https://…>` is the address itself. */
const opensAutolink = (token: Token | undefined) =>
  token?.type === "link_open" && token.markup === "autolink";

function textOf(token: Token): string {
  if (token.type === "fence" || token.type === "code_block") return token.content;
  if (token.type.endsWith("break")) return " ";
  if (!token.children)
    return token.type === "text" || token.type === "code_inline" ? token.content : "";
  return token.children.map(textOf).join("");
}
