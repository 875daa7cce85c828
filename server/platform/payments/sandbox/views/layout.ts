import { html, raw } from "hono/html";
import { formatAmount } from "../../../../../app/i18n/format";
import type { Page } from "../store";
import texts from "../texts.fr.json";
import { STYLE } from "./style";

export type Html = ReturnType<typeof html>;

/** In one piece: a space around the style would be part of what its hash covers. */
const styleElement = raw(`<style>${STYLE}</style>`);

export const layout = (title: string, content: Html): Html =>
  html`<!doctype html>
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} – ${texts.bank}</title>
        ${styleElement}
      </head>
      <body>
        <header><p>${texts.bank}</p></header>
        <main>${content}</main>
      </body>
    </html>`;

/** Shows merchant, amount and purchase. */
export const orderView = ({ merchant, amount, email, description }: Page): Html =>
  html`<p class="demo">${texts.demonstration}</p>
    <dl>
      <dt>${texts.merchant}</dt>
      <dd class="notranslate" translate="no">${merchant}</dd>
      <dt>${texts.amount}</dt>
      <dd class="amount">${formatAmount(amount)}</dd>
      <dt>${texts.email}</dt>
      <dd class="notranslate" translate="no">${email}</dd>
      <dt>${texts.purchase}</dt>
      <dd>${description}</dd>
    </dl>`;
