import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { openPages, type PageAnswer } from "../support/pages";
import { cardFields, newEmail, registrationFields, subscribe } from "../support/people";

const { visitor } = openPages();

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

/** A person who has withdrawn: the payment is refunded, the access has ended. */
async function left() {
  const person = visitor();
  const email = newEmail();
  await subscribe(person, email);
  await person.post(paths.withdrawal(), { name: "Léa", email, intent: "confirm" });
  // The session learns of the end by the next answer of the API.
  await person.get(paths.account());
  return { person, email };
}

/** */
describe("a person whose subscription has ended", () => {
  it("is offered no payment that would be refused", async () => {
    const { person } = await left();
    for (const path of [paths.registration(), paths.registrationPayment()]) {
      const page = await person.follow(await person.get(path));
      expect(mainOf(page)).toContain("Votre abonnement est terminé");
      expect(page.dom.querySelector("[name=intent][value=pay]")).toBeNull();
      expect(page.dom.querySelector("[name=cardNumber]")).toBeNull();
    }
  });

  it("is not shown a successful payment", async () => {
    const { person } = await left();
    const sent = await person.post(paths.registrationPayment(), {
      ...cardFields(),
      intent: "pay",
      idempotencyKey: "after-the-end-of-it",
    });
    const pages = [
      await person.follow(sent),
      await person.follow(await person.get(serverPaths.registrationResult("success"))),
      await person.follow(
        await person.get(serverPaths.paymentCallback({ cashback: false, success: true })),
      ),
    ];
    for (const page of pages) {
      expect(mainOf(page)).not.toContain("réussi");
      expect(page.dom.querySelector("meta[http-equiv=refresh]")).toBeNull();
    }
  });

  it("registers again at once with the same address", async () => {
    const { person, email } = await left();
    const page = await person.follow(
      await person.post(paths.registration(), { intent: "restart", confirm: "on" }),
    );
    expect(page.html).toContain("votre adresse est libre");
    const again = await person.post(paths.registration(), registrationFields(email));
    expect(again.status).toBe(303);
    expect(again.headers.get("location")).toContain("/api/sandbox/pay/");
  });

  it("keeps the account while a contract runs", async () => {
    const person = visitor();
    await subscribe(person);
    await person.post(paths.registration(), { intent: "restart", confirm: "on" });
    expect((await person.get(paths.account())).status).toBe(200);
    const stranger = await visitor().post(paths.registration(), {
      intent: "restart",
      confirm: "on",
    });
    expect(stranger.headers.get("location")).toBe(paths.registration());
  });
});
