import { html } from "hono/html";
import texts from "../texts.fr.json";
import { layout, type Html } from "./layout";

const messages: Record<number, { title: string; text: string }> = texts.messages;

/** A message with a link back to the site. */
export function messageView(status: number, secondsToWait = 0): Html {
  const { title, text } = messages[status] ?? texts.messages[500];
  return layout(
    title,
    html`<h1>${title}</h1>
      <p>${text.replace("{{time}}", timeOf(secondsToWait))}</p>
      <p><a href="/">${texts.home}</a></p>`,
  );
}

const duration = (unit: "minute" | "hour") =>
  new Intl.NumberFormat("fr-FR", { style: "unit", unit, unitDisplay: "long" });

const [minutes, hours] = [duration("minute"), duration("hour")];

function timeOf(seconds: number) {
  const wait = Math.max(1, Math.ceil(seconds / 60));
  return wait < 120 ? minutes.format(wait) : hours.format(Math.ceil(wait / 60));
}
