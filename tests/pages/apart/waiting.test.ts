import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, type PageAnswer } from "../../support/pages";
import { CARDS, cardFields, newEmail, PASSWORD, reachBank, subscribe } from "../../support/people";
import { endSessionsOf } from "../sessions";

const { visitor } = openPages({ ACTIVATION_DELAY: "4" });

const PATIENCE_MS = 15_000;
const textOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

describe("after paying", () => {
  it("the login page waits until access opens", async () => {
    const reader = visitor();
    await subscribe(reader);
    const waiting = await reader.follow(await reader.get("/account?vue=1"));
    expect(waiting.path).toBe("/login?returnTo=%2Faccount%3Fvue%3D1");
    expect(textOf(waiting)).toMatch(/Votre accès se prépare.*jusqu’à 5\sminutes/s);
    expect(waiting.dom.querySelector("meta[http-equiv=refresh]")).not.toBeNull();
    const status = async () => (await reader.follow(await reader.get(waiting.path))).path;
    await expect.poll(status, { timeout: PATIENCE_MS }).toBe("/account?vue=1");
  });

  it("each page says that the access opens, and none that a payment is under way", async () => {
    const reader = visitor();
    await subscribe(reader);
    const article = textOf(await reader.get(paths.article("lire-son-theme-natal")));
    expect(article).toContain("Votre accès se prépare");
    expect(article).toContain("rien d’autre à payer");
    const login = textOf(await reader.follow(await reader.get(paths.account())));
    for (const text of [article, login])
      expect(text).not.toMatch(/paiement est en cours|payez pas/);
    expect(login).not.toContain("est enregistré");
  });

  it("a signed-out visitor is asked to sign in", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    await endSessionsOf(email);
    const page = await reader.follow(await reader.get("/callback/payment?success=1"));
    expect(page.path).toBe("/login");
    expect(textOf(page)).toMatch(/jusqu’à 5\sminutes/);
    expect(page.dom.querySelector("[name=password]")).not.toBeNull();
  });
});

describe("after a refused card", () => {
  it.each(["/registration/failure", "/callback/payment?cashback=0&success=0"])(
    "whoever is signed out comes back from sign-in to %s",
    async (path) => {
      const reader = visitor();
      const email = newEmail();
      await reader.post(await reachBank(reader, email), cardFields(CARDS.declined));
      await endSessionsOf(email);
      const login = await reader.follow(await reader.get(path));
      expect(login.path).toBe(`/login?returnTo=${encodeURIComponent(path)}`);
      expect(textOf(login)).toContain("pour voir le résultat de votre paiement");
      const action = login.dom.querySelector("main form")?.getAttribute("action") ?? "";
      const page = await reader.follow(await reader.post(action, { email, password: PASSWORD }));
      expect(page.path).toBe("/registration/failure");
      expect(textOf(page)).toContain("Le paiement n’a pas abouti");
    },
  );
});

describe("while the bank has not decided", () => {
  it.each(["/registration", "/registration/welcome", "/registration/payment"])(
    "%s shows that and no order",
    async (path) => {
      const person = visitor();
      await person.post(await reachBank(person), cardFields(CARDS.pending));
      const page = await person.follow(await person.get(path));
      expect([page.status, page.path]).toEqual([200, "/callback/payment"]);
      expect(textOf(page)).toContain("ne payez pas une seconde fois");
      expect(page.dom.querySelectorAll("main form")).toEqual([]);
    },
  );

  it("the deletion says what becomes of the payment", async () => {
    const person = visitor();
    await person.post(await reachBank(person), cardFields(CARDS.pending));
    const page = await person.get("/account/data");
    const list = page.dom.querySelector("#deletion-panel ul")?.text;
    expect(list).toContain("Si elle l’accepte après la suppression, il vous est remboursé");
  });
});

describe("the login page does not wait", () => {
  it("without a payment, and says why", async () => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.follow(await reader.get("/account"));
    expect(textOf(page)).toContain("réservée aux abonnés");
    const links = page.dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(links).toContain("/registration?returnTo=%2Faccount");
    expect(page.dom.querySelector("meta[http-equiv=refresh]")).toBeNull();
  });

  it("after the subscription ended, and says when", async () => {
    const person = visitor();
    const email = newEmail();
    await subscribe(person, email);
    await person.post("/withdrawal", { name: "Léa", email, intent: "confirm" });
    const again = visitor();
    await again.post("/login", { email, password: PASSWORD });
    for (const page of [
      await person.follow(await person.get("/account")),
      await again.get("/login"),
    ]) {
      expect(textOf(page)).toMatch(/a pris fin le \d/);
      expect(page.dom.querySelector("meta[http-equiv=refresh]")).toBeNull();
    }
  });
});

describe("while the bank has not answered", () => {
  it("the payment is shown as neither paid nor refused", async () => {
    const person = visitor();
    await person.post(await reachBank(person), cardFields(CARDS.pending));
    const page = await person.follow(await person.get("/account"));
    expect(textOf(page)).toContain("La banque n’a pas encore répondu");
    expect(textOf(page)).not.toContain("enregistré");
    expect(page.dom.querySelector("meta[http-equiv=refresh]")).not.toBeNull();
  });

  it("a later refusal is shown, with nothing debited", async () => {
    const person = visitor();
    await person.post(await reachBank(person), cardFields(CARDS.pendingFailure));
    const page = async () => textOf(await person.follow(await person.get("/account")));
    await expect.poll(page, { timeout: PATIENCE_MS }).toContain("n’a pas abouti");
  });
});
