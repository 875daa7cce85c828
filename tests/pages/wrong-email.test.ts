import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { openPages, type PageAnswer } from "../support/pages";
import {
  CARDS,
  cardFields,
  newEmail,
  reachBank,
  registrationFields,
  subscribe,
} from "../support/people";

const { visitor } = openPages();

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const buttonIn = ({ dom }: PageAnswer) => dom.querySelector("main button[value=correct]");

/** Somebody who registered with a wrong e-mail, and left the bank's page that shows it. */
async function mistaken(email: string) {
  const person = visitor();
  const bank = await reachBank(person, email);
  expect(mainOf(await person.get(bank))).toContain(email);
  const left = await person.follow(await person.post(bank, { intent: "cancel" }));
  return { person, left };
}

/** C. civ. 1127-2 */
describe("an e-mail typed wrongly", () => {
  it("is shown before the order, and corrected before it", async () => {
    const [wrong, right] = [newEmail("exmaple"), newEmail()];
    const { person, left } = await mistaken(wrong);
    for (const page of [left, await person.get(paths.registrationPayment())]) {
      expect(mainOf(page)).toContain(wrong);
      expect(page.dom.querySelector(`main form a[href="${paths.registration()}"]`)?.text).toBe(
        "Corriger cette adresse",
      );
    }
    expect(buttonIn(await person.get(paths.registration()))?.text).toBe("Corriger l’adresse");
    const asked = await person.follow(
      await person.post(paths.registration(), { intent: "correct" }),
    );
    expect(asked.html).toContain("La session de l’autre adresse est fermée");
    const anew = await person.post(paths.registration(), registrationFields(right));
    expect(anew.status).toBe(303);
    expect(mainOf(await person.get(paths.registration()))).toContain(right);
  });

  it("is not corrected by Enter in the form that orders", async () => {
    const { person } = await mistaken(newEmail());
    const { dom } = await person.get(paths.registration());
    const order = dom.querySelector("main button[value=pay]")?.closest("form");
    expect(order?.querySelector("button")?.getAttribute("value")).toBe("pay");
  });

  it("is not corrected while the bank decides on an order", async () => {
    const [person, email] = [visitor(), newEmail()];
    const bank = await reachBank(person, email);
    await person.post(bank, cardFields(CARDS.pending));
    expect(buttonIn(await person.follow(await person.get(paths.registration())))).toBeNull();
    const answer = await person.follow(
      await person.post(paths.registration(), { intent: "correct" }),
    );
    expect(answer.path).toContain(serverPaths.paymentCallback());
    expect(answer.html).not.toContain("La session de l’autre adresse est fermée");
  });

  it("is not corrected after the order in another tab", async () => {
    const person = visitor();
    await subscribe(person);
    await person.post(paths.registration(), { intent: "correct" });
    expect((await person.get(paths.account())).status).toBe(200);
  });

  it("is corrected without loss of the way back", async () => {
    const person = visitor();
    await person.get(`${paths.registration()}?returnTo=/article/lune`);
    await person.post(paths.registration(), registrationFields());
    await person.follow(await person.post(paths.registration(), { intent: "correct" }));
    const welcome = await subscribe(person);
    expect(welcome.dom.querySelector('main a[href="/article/lune"]')).not.toBeNull();
  });
});
