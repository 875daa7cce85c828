import demo from "./identity-demo.fr.json";
import type { Identity, KnownIdentity } from "./identity";
import texts from "./identity.fr.json";
import { escapeHtml } from "./markdown";

const PLACE = /\{\{([\w.]{1,40})\}\}/g;

/** Alone in a paragraph: says that the page is a demonstration, while it is one. */
const DEMO = "demo";
/** The name of the site. */
const TITLE = "site.title";
const DEMO_PARAGRAPH = `<p>{{${DEMO}}}</p>`;

/** The names that stand between `{{` and `}}` in a page and that nothing fills. */
export function unknownPlaces(text: string): string[] {
  const known = new Set([DEMO, TITLE, ...valuesOf(demo).keys()]);
  return [...text.matchAll(PLACE)].map(([, name = ""]) => name).filter((name) => !known.has(name));
}

/** Puts the site's name and the seller's identity into the HTML of a page. */
export function fillIdentity(html: string, { identity, missing, title }: KnownIdentity): string {
  if (!html.includes("{{")) return html;
  const values = valuesOf(identity).set(TITLE, title ?? texts.title);
  return html
    .replace(DEMO_PARAGRAPH, missing.length === 0 ? "" : `<p>${texts.demo}</p>`)
    .replace(PLACE, (place, name: string) => htmlOf(values.get(name) ?? place))
    .trim();
}

/** The demonstration values that the HTML of a page holds as its own text. */
export function demoValuesIn(html: string): string[] {
  const text = withPlainSpaces(html);
  return [...valuesOf(demo).values()].filter((value) =>
    text.includes(withPlainSpaces(escapeHtml(value))),
  );
}

/** Imported texts have spaces that do not break. */
const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, " ");

function valuesOf({ statement, ...groups }: Identity): Map<string, string> {
  const values = new Map([["statement", statement]]);
  for (const [group, members] of Object.entries(groups)) {
    for (const [name, value] of Object.entries(members)) values.set(`${group}.${name}`, value);
  }
  return values;
}

const htmlOf = (value: string) =>
  value.startsWith("https://")
    ? `<a href="${escapeHtml(value)}">${escapeHtml(value.slice("https://".length))}</a>`
    : escapeHtml(value);

/** Whether the HTML of a page names the product as its own text, on a site of another name. */
export const namesOtherSite = (html: string, title: string): boolean =>
  title !== texts.title && withPlainSpaces(html).includes(texts.title);
