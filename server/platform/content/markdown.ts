import MarkdownIt from "markdown-it";
import type { Token } from "markdown-it";
import { imageNameIn } from "./images/names";
import { applyTypography } from "./typography";

/** A fault in a text; lines count from 1. */
export type TextFault = { line: number; message: string };

const LINK = /^(?:\/(?!\/)|https:\/\/[^/])/;
const IMAGE = /^(?:\/medias\/(?!.*(?:\.|%2e){2})|https:\/\/[^/])/i;
const WORD = /[\p{L}\p{N}]+(?:[’'-][\p{L}\p{N}]+)*/gu;

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false });
// Every link becomes a token, so that the check below can report bad ones. They would stay plain text.
markdown.validateLink = () => true;

export const { escapeHtml } = markdown.utils;

/** An image of the site that a text shows or leads to. */
type NamedImage = { line: number; name: string };

export type Rendered = {
  html: string;
  words: number;
  text: string;
  images: NamedImage[];
  faults: TextFault[];
};

/** Renders safe HTML: no raw HTML, only internal or https links, French typography. */
export function renderMarkdown(source: string): Rendered {
  const environment = {};
  const tokens = markdown.parse(source, environment);
  const found: Found = { images: [], faults: guardBlocks(tokens) };
  guardInlines(tokens, found);
  for (const token of tokens) setTypography(token.children ?? []);
  const html = markdown.renderer.render(tokens, markdown.options, environment);
  const text = tokens.map(textOf).filter(Boolean).join(" ");
  return { html: html.trim(), words: text.match(WORD)?.length ?? 0, text, ...found };
}

function guardBlocks(tokens: Token[]) {
  const faults: TextFault[] = [];
  for (const token of tokens) {
    if (token.type === "heading_open" && token.tag === "h1") {
      const line = (token.map?.[0] ?? 0) + 1;
      faults.push({ line, message: "headings start at ##: the title is the only #" });
    }
    // Column alignment would add inline styles, which the CSP blocks.
    if (token.type === "th_open" || token.type === "td_open") token.attrs = null;
  }
  return faults;
}

type Found = Pick<Rendered, "images" | "faults">;

function guardInlines(tokens: Token[], found: Found) {
  let line = 1;
  for (const { type, map, children } of tokens) {
    // Table cells have no line of their own, so they use the line of their row.
    line = map ? map[0] + 1 : line;
    if (type === "inline") guardLinks(children ?? [], line, found);
  }
}

/**
 * Reports bad links and empties their address, so that the HTML is safe even when faults are
 * ignored.
 */
function guardLinks(children: Token[], firstLine: number, found: Found) {
  let line = firstLine;
  for (const token of children) {
    if (token.type === "softbreak" || token.type === "hardbreak") line += 1;
    const target = String(token.attrGet("href") ?? "");
    if (token.type === "link_open" && !LINK.test(target)) {
      found.faults.push({ line, message: `link to "${target}": only /path or https://` });
      token.attrSet("href", "");
    }
    if (token.type === "link_open") noteImage(target, line, found);
    if (token.type === "image") guardImage(token, line, found);
  }
}

function noteImage(address: string, line: number, { images }: Found) {
  const name = imageNameIn(address);
  if (name !== undefined) images.push({ line, name });
}

function guardImage(token: Token, line: number, found: Found) {
  const { faults } = found;
  const source = String(token.attrGet("src") ?? "");
  if (!token.content.trim()) {
    faults.push({ line, message: `image "${source}" has no alternative text` });
  }
  if (!IMAGE.test(source)) {
    faults.push({ line, message: `image "${source}": only /medias/… or https://` });
    token.attrSet("src", "");
  } else noteImage(source, line, found);
  token.attrSet("loading", "lazy");
}

/** Applies typography token by token; each needs the character before it, across emphasis and links. */
function setTypography(children: Token[]) {
  let before = "";
  for (const [i, token] of children.entries()) {
    if (token.type === "text" && !opensAutolink(children[i - 1])) {
      token.content = applyTypography(token.content, before);
    }
    if (token.type === "image") setTypography(token.children ?? []);
    if (token.content) before = token.content.slice(-1);
    else if (token.type.endsWith("break")) before = "";
  }
}

/** True for `<https://…>`, whose text is the address itself. */
const opensAutolink = (token: Token | undefined) =>
  token?.type === "link_open" && token.markup === "autolink";

function textOf(token: Token): string {
  if (token.type === "fence" || token.type === "code_block") return token.content;
  if (token.type.endsWith("break")) return " ";
  if (!token.children)
    return token.type === "text" || token.type === "code_inline" ? token.content : "";
  return token.children.map(textOf).join("");
}
