import type { Locator, Page } from "playwright";
import { paths } from "~/paths";
import { waitForMail } from "../support/mailed";
import { newEmail } from "../support/people";
import type { Site } from "../support/site";
import { press } from "./steps";

let count = 0;
export const newSubject = () => `Une question, la ${++count}e de ${process.pid}`;

export const said = (page: Page) => page.locator(".message__text").allTextContents();

export async function writeTicket(page: Page, subject: string, email = newEmail("visiteuse")) {
  await page.goto(paths.contactNewTicket());
  await page.locator("[name=email]").fill(email);
  await page.locator("[name=name]").fill("Inès");
  await page.locator("[name=subject]").fill(subject);
  await page.locator("[name=message]").fill("Bonjour,\nun lien : https://exemple.fr <b>ici</b>");
  await press(page, "Envoyer");
  await page.getByText("Votre message est arrivé").waitFor();
  return email;
}

export async function ticketLink(site: Site, email: string) {
  const { text } = await waitForMail(site, email, "bien reçu");
  return /\/contact\/tickets\/[\w-]+\?t=[\w-]+/.exec(text)?.[0] ?? "";
}

export async function reply(page: Page, text: string) {
  await page.locator("[name=message]").fill(text);
  await press(page, "Envoyer");
  await page.locator("li.message[id]", { hasText: text }).waitFor();
}

/** Writes many messages of several lines by the API. */
export async function writeMany(site: Site, link: string, count: number) {
  const [, uid, t] = /tickets\/([\w-]+)\?t=([\w-]+)/.exec(link) ?? [];
  for (let index = 1; index <= count; index++) {
    await fetch(`${site.origin}/api/support/contact/tickets/${uid}/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "support-authorization": `Contact ${t}` },
      body: JSON.stringify({ message: `Message ${index}\n\n\nfin` }),
    });
  }
}

/** Whether the upper edge of an element is on the screen. */
export const isInView = (element: Locator) =>
  element.evaluate((node) => {
    const { top } = node.getBoundingClientRect();
    return top >= 0 && top < innerHeight;
  });
