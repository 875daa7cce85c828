import { html } from "hono/html";
import texts from "../texts.fr.json";
import { layout, type Html } from "./layout";

const messages: Record<number, { title: string; text: string }> = texts.messages;

/** A page that says what happened and leads back to the site. */
export function messageView(status: number): Html {
  const { title, text } = messages[status] ?? texts.messages[500];
  return layout(
    title,
    html`<h1>${title}</h1>
      <p>${text}</p>
      <p><a href="/">${texts.home}</a></p>`,
  );
}
