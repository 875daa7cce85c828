import { html } from "hono/html";
import { CARD_NUMBER_MAX } from "../../../../../app/contract/limits";
import { FIELDS, type CardForm, type Fault, type Faults, type Field } from "../form";
import type { Page } from "../store";
import texts from "../texts.fr.json";
import { layout, orderView, type Html } from "./layout";

type Given = {
  faults: Faults;
  /** Fields to show again; never the card number and code (R-5.7). */
  kept: Pick<CardForm, "expiry" | "cardholder">;
};

const NOTHING: Given = { faults: {}, kept: { expiry: "", cardholder: "" } };

const ATTRIBUTES = {
  cardNumber: { autocomplete: "cc-number", inputmode: "numeric", maxlength: CARD_NUMBER_MAX },
  expiry: { autocomplete: "cc-exp", inputmode: "numeric", maxlength: 10 },
  cvv: { autocomplete: "cc-csc", inputmode: "numeric", maxlength: 4 },
  cardholder: { autocomplete: "cc-name", inputmode: "text", maxlength: 100 },
} satisfies Record<Field, object>;

export function formView(page: Page, { faults, kept }: Given = NOTHING): Html {
  const { title, required, pay, cancel, kept: promise } = texts.form;
  const field = (name: Field, value = "") => fieldView(name, value, faults);
  return layout(
    isFaulty(faults) ? texts.errorTitle.replace("{{title}}", title) : title,
    html`<h1>${title}</h1>
      ${isFaulty(faults) ? summaryView(faults) : ""} ${orderView(page)}
      <form method="post" novalidate>
        <p>${required}</p>
        ${field("cardNumber")}
        <div class="pair">${field("expiry", kept.expiry)} ${field("cvv")}</div>
        ${field("cardholder", kept.cardholder)} ${orderedView(page)}
        <button class="act" name="intent" value="pay">${pay}</button>
        <button name="intent" value="cancel">${cancel}</button>
        <p class="kept">${promise}</p>
      </form>`,
  );
}

/** The order stands right beside the button that places it (L221-14). */
const orderedView = ({ description, conditions }: Page): Html =>
  html`${(conditions ?? description).split("\n").map((line) => html`<p class="ordered">${line}</p>`)}`;

function summaryView(faults: Faults): Html {
  const faulty = FIELDS.filter((name) => faults[name]);
  return html`<div class="summary" role="alert" aria-labelledby="summary-title">
    <h2 id="summary-title">${texts.errors.summary}</h2>
    <ul>
      ${faulty.map((name) => html`<li><a href="#${name}">${faultText(name, faults)}</a></li>`)}
    </ul>
  </div>`;
}

function fieldView(name: Field, value: string, faults: Faults): Html {
  const { autocomplete, inputmode, maxlength } = ATTRIBUTES[name];
  const isFirstFaulty = FIELDS.find((field) => faults[field]) === name;
  const state = faults[name] ? html`aria-invalid="true"` : "";
  return html`<div class="field">
    <label for="${name}">${texts.form[name]}</label>
    <span class="hint" id="${name}-hint">${texts.form[`${name}Hint`]}</span>
    ${faults[name] ? html`<span class="error" id="${name}-error">${faultText(name, faults)}</span>` : ""}
    <input
      id="${name}"
      name="${name}"
      value="${value}"
      type="text"
      required
      autocomplete="${autocomplete}"
      inputmode="${inputmode}"
      maxlength="${maxlength}"
      aria-describedby="${name}-hint${faults[name] ? ` ${name}-error` : ""}"
      ${state}
      ${isFirstFaulty ? html`autofocus` : ""}
    />
  </div>`;
}

function faultText(name: Field, faults: Faults): string {
  const words: { [F in Fault]?: string } = texts.errors[name];
  return words[faults[name] ?? "invalid"] ?? texts.errors[name].invalid;
}

const isFaulty = (faults: Faults) => Object.keys(faults).length > 0;
