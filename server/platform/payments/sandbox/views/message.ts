import { html } from "hono/html";
import texts from "../texts.fr.json";
import { layout, type Html } from "./layout";

const messages: Record<number, { title: string; text: string }> = texts.messages;

/** A page that says what happened and leads back to the site. */
export function messageView(status: number, secondsToWait = 0): Html {
  const { title, text } = messages[status] ?? texts.messages[500];
  return layout(
    title,
    html`<h1>${title}</h1>
      <p>${text.replace("{{minutes}}", minutes(secondsToWait))}</p>
      <p><a href="/">${texts.home}</a></p>`,
  );
}

const duration = new Intl.NumberFormat("fr-FR", {
  style: "unit",
  unit: "minute",
  unitDisplay: "long",
});

const minutes = (seconds: number) => duration.format(Math.max(1, Math.ceil(seconds / 60)));
