import { html } from "hono/html";
import { formatAmount } from "../../../../../app/i18n/format";
import type { Page } from "../store";
import texts from "../texts.fr.json";
import { layout, orderView, type Html } from "./layout";

const { challenge } = texts;

/** The confirmation step (3-D Secure). The card number is not stored, only its outcome. */
export const challengeView = (page: Page): Html =>
  layout(
    challenge.title,
    html`<h1>${challenge.title}</h1>
      <p>${challenge.explanation}</p>
      ${orderView(page)}
      <form method="post">
        <button class="act" name="intent" value="confirm">
          ${challenge.confirm.replace("{{amount}}", formatAmount(page.amount))}
        </button>
        <button name="intent" value="cancel">${challenge.cancel}</button>
      </form>`,
  );
