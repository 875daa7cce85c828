import { html, raw } from "hono/html";
import type { Annex, Draft, Fact } from "./draft";
import { style } from "./html-style";
import catalogue from "./letters.fr.json";
import type { Site } from "./letters";

type Html = ReturnType<typeof html>;

/** Renders HTML without tables, pictures and scripts, for screen readers and any width. */
export function renderHtml(draft: Draft, site: Site): string {
  const page = pageView(draft, site);
  if (page instanceof Promise) throw new Error("Nothing in a letter is waited for");
  return page.toString();
}

const pageView = (draft: Draft, site: Site): Html =>
  html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light" />
        <meta name="supported-color-schemes" content="light" />
        <title>${draft.subject}</title>
      </head>
      <body style="${style.body}">
        <div style="${style.preheader}" aria-hidden="true">${draft.preheader}</div>
        <div style="${style.sheet}">
          <div style="${style.header}">${brandView(site)}</div>
          <div style="${style.card}" role="article" lang="fr">${cardView(draft, site)}</div>
          ${draft.annexes.map(annexView)} ${footerView(site)}
        </div>
      </body>
    </html>`;

const brandView = ({ title, url }: Site): Html => {
  const brand = html`<span style="${style.star}" aria-hidden="true">✦</span> ${title}`;
  return url === ""
    ? html`<span style="${style.brand}">${brand}</span>`
    : html`<a href="${url}" style="${style.brand}">${brand}</a>`;
};

const cardView = (
  { title, opening, facts, framed, quote, details, ...rest }: Draft,
  site: Site,
): Html =>
  html`<h1 style="${style.title}">${title}</h1>
    ${[catalogue.greeting, ...opening].map(paragraph)} ${facts.length > 0 ? factsView(facts) : ""}
    ${framed ? frameView(framed) : ""} ${quote === null ? "" : quoteView(quote)}
    ${details.map(paragraph)} ${site.url === "" ? "" : buttonView(rest.button)}
    ${rest.closing.map(paragraph)}`;

const paragraph = (text: string): Html => html`<p style="${style.text}">${text}</p>`;

const factsView = (facts: Fact[]): Html =>
  html`<dl style="${style.facts}">
    ${facts.map(
      ({ label, value, isLink }) =>
        html`<div style="${facts.length > 1 ? style.factOfMany : style.fact}">
          <dt style="${style.label}">${label}</dt>
          <dd style="${style.value}">${isLink ? linkView(value) : value}</dd>
        </div>`,
    )}
  </dl>`;

const linkView = (url: string): Html => html`<a href="${url}" style="${style.site}">${url}</a>`;

const frameView = ({ label, value }: Fact): Html =>
  html`<p style="${style.frame}">
    ${label} <strong style="${style.framedValue}">${value}</strong>
  </p>`;

const annexView = ({ title, html: body }: Annex): Html =>
  html`<div style="${style.card}">
    <h2 style="${style.title}">${title}</h2>
    ${raw(body)}
  </div>`;

/** Shows a quote with its line breaks; markup in it stays text. */
const quoteView = (text: string): Html =>
  html`<blockquote style="${style.quote}">${text}</blockquote>`;

/** Repeats the address as text: some programs break buttons, and people want to see where it leads. */
const buttonView = ({ label, url }: Draft["button"]): Html =>
  html`<p style="${style.action}"><a href="${url}" style="${style.button}">${label}</a></p>
    <p style="${style.copy}">
      ${catalogue.copyLink}<br /><span style="${style.address}">${url}</span>
    </p>`;

const footerView = (site: Site): Html =>
  html`<div style="${style.footer}">
    <p style="${style.text}">
      ${site.title}
      ${site.url === "" ? "" : html`<br /><a href="${site.url}" style="${style.site}">${site.url}</a>`}
    </p>
    <p style="${style.text}">${catalogue.footer}</p>
    <p style="margin:0">${site.imprint}</p>
  </div>`;
