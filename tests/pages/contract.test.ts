import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { embeddedPlatform } from "../../server/embedded";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../support/pages";
import {
  CARDS,
  cardFields,
  newEmail,
  reachBank,
  registrationFields,
  subscribe,
} from "../support/people";

const { visitor } = openPages();

describe("the registration form", () => {
  it("carries the version of the terms it links to", async () => {
    const reader = visitor();
    const { termsDigest = "" } = hiddenFields(await reader.get(paths.registration()));
    const version = await reader.get(paths.termsVersion(termsDigest));
    expect(version.status).toBe(200);
    const current = await reader.get(paths.text("terms-of-service"));
    const text = ".prose";
    expect(version.dom.querySelector(text)?.innerHTML).toBe(
      current.dom.querySelector(text)?.innerHTML,
    );
  });
});

/** Follows the link to the contract of a page that names it. */
async function openContract(reader: Visitor, from = paths.accountSubscription()) {
  const { dom } = await reader.get(from);
  const link = dom.querySelector(
    `section[aria-labelledby=contract] a[href="${paths.accountContract()}"]`,
  );
  const page = await reader.get(link?.getAttribute("href") ?? "");
  expect(page.status).toBe(200);
  return page;
}

describe("the contract of a subscriber", () => {
  it("names what was accepted and shows the confirmation", async () => {
    const reader = visitor();
    await subscribe(reader);
    const { dom } = await openContract(reader);
    const contract = dom.querySelector("main");
    expect(contract?.text).toContain("Commande avec obligation de paiement");
    expect(contract?.querySelector("section[aria-labelledby=confirmation]")?.text).toContain(
      "Modèle de formulaire de rétractation",
    );
    const link = contract?.querySelector("dd a")?.getAttribute("href") ?? "";
    const version = await reader.get(link);
    expect(version.status).toBe(200);
    expect(version.dom.querySelector("main")?.text).toContain("Version publiée le");
  });
});

it("an unknown version of the terms is not found", async () => {
  expect((await visitor().get(paths.termsVersion("0".repeat(64)))).status).toBe(404);
});

it("an address that names no version is not found", async () => {
  for (const name of ["zzz", "0".repeat(63), "%00"]) {
    expect((await visitor().get(`/terms-of-service/${name}`)).status).toBe(404);
  }
});

/** Another text of the terms is published. */
async function changeTerms() {
  const platform = await embeddedPlatform();
  await platform.database
    .updateTable("page")
    .set({ body: `<p>${crypto.randomUUID()}</p>` })
    .where("uid", "=", "terms-of-service")
    .execute();
  await platform.begin();
}

describe("the page of a version of the terms", () => {
  const versionOf = async () =>
    hiddenFields(await visitor().get(paths.registration())).termsDigest ?? "";
  const mainOf = async (digest: string) =>
    (await visitor().get(paths.termsVersion(digest))).dom.querySelector("main");

  it("says that new orders accept it, and for whom it waits", async () => {
    const main = await mainOf(await versionOf());
    expect(main?.text).toContain("que l’on accepte en commandant aujourd’hui");
    expect(main?.text).toContain("À un contrat conclu avant sa publication");
    expect(main?.querySelector("a[href='/terms-of-service']")).toBeNull();
    expect(main?.querySelector("a[href='/account/subscription']")).not.toBeNull();
    const terms = await visitor().get(paths.text("terms-of-service"));
    expect(terms.dom.querySelector("main")?.text).toContain("Version publiée le");
  });

  it("offers another one as that of new orders only", async () => {
    const earlier = await versionOf();
    await changeTerms();
    const main = await mainOf(earlier);
    expect(main?.text).toContain("peut rester applicable à un contrat conclu avant");
    const current = main?.querySelector("a[href='/terms-of-service']");
    expect(current?.text).toBe("Lire la version des nouvelles commandes");
  });
});

describe("the terms of a contract", () => {
  const [BEFORE, TOLD] = ["1".repeat(64), "2".repeat(64)];
  const changed = {
    terms_digest: TOLD,
    terms_before: BEFORE,
    terms_before_from: "2026-03-01T11:00:00.000Z",
    terms_apply_at: "2099-03-01T11:00:00.000Z",
  };

  async function contractWith(change: Partial<typeof changed> & { cancelled_at?: string }) {
    const reader = visitor();
    await subscribe(reader);
    const { database } = await embeddedPlatform();
    const newest = database.selectFrom("subscription").select((e) => e.fn.max("uid").as("uid"));
    await database
      .updateTable("subscription")
      .set({ ...changed, ...change })
      .where("uid", "=", newest)
      .execute();
    const { dom } = await openContract(reader);
    const contract = dom.querySelector("main");
    const links = contract?.querySelectorAll("a[href*='/terms-of-service/']") ?? [];
    return {
      text: contract?.text ?? "",
      links: links.map((link) => link.getAttribute("href") ?? ""),
    };
  }

  it("link the accepted, the present and the coming text", async () => {
    const { text, links } = await contractWith({});
    expect(links).toContain(paths.termsVersion(BEFORE));
    expect(links).toContain(paths.termsVersion(TOLD));
    expect(links).toHaveLength(3);
    expect(text).toMatch(/applicables à ce contrat\s*Depuis le 1er\smars\s2026/);
    expect(text).toMatch(/le nouveau texte s’applique à partir du 1er\smars\s2099/);
  });

  it("say from when a changed text has counted", async () => {
    const { text, links } = await contractWith({ terms_apply_at: "2026-04-01T11:00:00.000Z" });
    expect(links).toContain(paths.termsVersion(TOLD));
    expect(links).toHaveLength(2);
    expect(text).toMatch(/applicables à ce contrat\s*Depuis le 1er\savr\.\s2026/);
    expect(text).not.toContain("le nouveau texte s’applique");
  });

  it("say that a stopped contract keeps its own", async () => {
    const { text } = await contractWith({ cancelled_at: "2026-10-01T11:00:00.000Z" });
    expect(text).toMatch(/pour le 1er\smars\s2099.*garde les siennes jusqu’à sa fin/s);
    expect(text).not.toContain("le nouveau texte s’applique");
  });
});

describe("the proof of a contract that has ended", () => {
  const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

  async function withdrawn() {
    const reader = visitor();
    const email = newEmail();
    await subscribe(reader, email);
    const notice = { name: "Léa Martin", email, intent: "confirm" };
    expect((await reader.post(paths.withdrawal(), notice)).status).toBe(303);
    return reader;
  }

  it("stays in the account after a withdrawal", async () => {
    const reader = await withdrawn();
    await reader.get(paths.account());
    expect((await reader.get(paths.accountSubscription())).status).toBe(302);
    const page = await openContract(reader, paths.accountData());
    expect(mainOf(page)).toContain("Commande avec obligation de paiement");
    expect(mainOf(page)).toContain("Lire le texte accepté");
  });

  it.each([
    [
      { sent_at: null, given_up_at: null },
      "Confirmation, dont l’e\u2011mail n’est pas encore parti",
    ],
    [
      { sent_at: null, given_up_at: "2026-11-22T10:00:00.000Z" },
      "Confirmation, dont l’e\u2011mail n’a pas pu vous être remis",
    ],
    [
      { sent_at: "2026-11-21T10:00:00.000Z", given_up_at: null },
      "Confirmation envoyée par e\u2011mail le 21\u00a0nov.\u00a02026",
    ],
  ])("names what became of its confirmation (%j)", async (state, words) => {
    const reader = visitor();
    await subscribe(reader);
    const { database } = await embeddedPlatform();
    await database.updateTable("contract_mail").set(state).execute();
    const { dom } = await openContract(reader);
    expect(dom.querySelector("section[aria-labelledby=confirmation] h2")?.text).toBe(words);
  });

  it("is one sentence where it is older than the archive", async () => {
    const reader = visitor();
    await subscribe(reader);
    const { database } = await embeddedPlatform();
    await database.deleteFrom("contract_proof").execute();
    const page = await reader.get(paths.accountSubscription());
    expect(mainOf(page)).toContain("plus ancien que nos archives");
    expect(mainOf(await reader.get(paths.accountContract()))).toContain("aucun contrat");
  });
});

describe("the words beside the last button", () => {
  /** The box around the button, as the archive keeps it. */
  function boxOn({ dom }: PageAnswer) {
    const box = dom.querySelector("form .price:has(button)");
    const now = box?.querySelector(".price__amount")?.text.trim() ?? "";
    const lines = (box?.querySelectorAll("dl > div") ?? [])
      .map((line) => [line.querySelector("dt")?.text, line.querySelector("dd")?.text])
      .filter(([term]) => term !== "Sur votre relevé")
      .map((line) => line.join("\u00a0: "));
    return [now, ...lines].join("\n");
  }

  it("are those that are kept as proof", async () => {
    const reader = visitor();
    const email = newEmail();
    const start = await reader.get(paths.registration());
    const bank = await reader.get(await reachBank(reader, email));
    const card = await reader.get(paths.registrationPayment());
    const shown = boxOn(card);
    expect(boxOn(start)).toBe(shown);
    const ordered = bank.dom.querySelectorAll(".ordered").map((line) => line.text);
    expect(ordered.join("\n")).toBe(shown);
    expect(shown).toMatch(
      /payer aujourd’hui.*tous les articles.*Prochain prélèvement.*sans engagement au-delà.*14\sjours/s,
    );
    await reader.post(paths.registrationPayment(), {
      ...hiddenFields(card),
      firstName: "Léa",
      lastName: "Martin",
      ...cardFields(),
    });
    const { database } = await embeddedPlatform();
    const proof = await database
      .selectFrom("contract_proof")
      .select("conditions")
      .where("email", "=", email)
      .executeTakeFirstOrThrow();
    expect(proof.conditions).toBe(shown);
  });

  it("name a partner's credit on the bank's page too", async () => {
    const reader = visitor();
    await reader.get("/registration?utk=demo-cashback");
    const bank = await reader.get(await reachBank(reader));
    const ordered = bank.dom.querySelectorAll(".ordered").map((line) => line.text);
    expect(ordered.join(" ")).toContain("sans rétractation, remboursement ni contestation");
  });
});

describe("a form whose terms have changed", () => {
  const CHANGED = "Nos conditions ont changé pendant que vous remplissiez cette page";
  const alertOf = ({ dom }: PageAnswer) => dom.querySelector("[role=alert]");

  it.each(["changed", "zzz", ""])("of registration comes back: %j", async (kind) => {
    const reader = visitor();
    const page = await reader.get(paths.registration());
    const email = newEmail();
    const fields = { ...registrationFields(email), ...hiddenFields(page) };
    if (kind === "changed") await changeTerms();
    else Object.assign(fields, { termsDigest: kind });
    const refused = await reader.post(paths.registration(), fields);
    expect(refused.status).toBe(400);
    expect(alertOf(refused)?.text).toContain(CHANGED);
    expect(alertOf(refused)?.querySelector("a")?.getAttribute("href")).toBe("/terms-of-service");
    const input = (name: string) => refused.dom.querySelector(`main input[name=${name}]`);
    expect(input("email")?.getAttribute("value")).toBe(email);
    expect(input("terms")?.hasAttribute("checked")).toBe(false);
    const anew = { ...registrationFields(email), ...hiddenFields(refused) };
    expect((await reader.post(paths.registration(), anew)).status).toBe(303);
  });

  /** What stands about the terms at the button: where it links to, and the box if there is one. */
  function termsAtButton({ dom }: PageAnswer) {
    const box = dom.querySelector("form .price__action input[name=terms]");
    return {
      links: dom.querySelectorAll("form .price__action a").map((link) => link.getAttribute("href")),
      box: box && (box.hasAttribute("checked") ? "ticked" : "unticked"),
      text: dom.querySelector("form .price__action")?.text ?? "",
      error: dom.querySelector("[id=payment-terms-error]")?.text,
    };
  }

  const currentVersion = async () => {
    const { database } = await embeddedPlatform();
    const { digest } = await database
      .selectFrom("terms_version")
      .select("digest")
      .orderBy("number", "desc")
      .limit(1)
      .executeTakeFirstOrThrow();
    return paths.termsVersion(digest);
  };

  const order = { firstName: "Léa", lastName: "Martin", ...cardFields() };

  const contractOf = async (reader: Visitor) => {
    const { dom } = await openContract(reader);
    return dom.querySelector("main")?.text ?? "";
  };

  it.each([
    ["registration", paths.registration()],
    ["the card", paths.registrationPayment()],
  ])("before are named at the button of %s", async (_, path) => {
    const reader = visitor();
    await reachBank(reader);
    const shown = termsAtButton(await reader.get(path));
    expect(shown).toMatchObject({ box: null, links: [await currentVersion()] });
    expect(shown.text).toContain("En commandant, vous acceptez les conditions générales");
  });

  it("of the card asks for a tick on a page opened since", async () => {
    const reader = visitor();
    await reachBank(reader);
    await changeTerms();
    const path = paths.registrationPayment();
    const page = await reader.get(path);
    expect(termsAtButton(page)).toMatchObject({ box: "unticked", links: [await currentVersion()] });
    const fields = { ...hiddenFields(page), ...order };
    const refused = await reader.post(path, fields);
    expect(refused.status).toBe(400);
    expect(termsAtButton(refused)).toMatchObject({
      box: "unticked",
      error: expect.stringContaining("Acceptez les conditions générales pour continuer."),
    });
    const again = await reader.post(path, { ...fields, terms: "on", cvv: "" });
    expect(termsAtButton(again).box).toBe("ticked");
    const paid = await reader.post(path, { ...hiddenFields(again), ...order, terms: "on" });
    expect(paid.status).toBe(303);
    await reader.follow(paid);
    const contract = await contractOf(reader);
    expect(contract).toMatch(/Conditions acceptées à la commande\s*Le .*Lire le texte accepté/);
  });

  it("of registration is named as what was accepted then", async () => {
    const reader = visitor();
    await subscribe(reader);
    expect(await contractOf(reader)).toMatch(
      /Conditions acceptées à l’inscription\s*Le .*, et rappelées à la commande\./,
    );
  });

  it("of an order that nobody ticked is claimed by no page", async () => {
    const reader = visitor();
    await subscribe(reader);
    const { database } = await embeddedPlatform();
    await database.updateTable("contract_proof").set({ terms_accepted_at: null }).execute();
    const contract = await contractOf(reader);
    expect(contract).toMatch(/Conditions de la commande\s*Lire ce texte/);
    expect(contract).not.toContain("Conditions acceptées");
  });

  it("of the card comes back, and charges nothing", async () => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(paths.registrationPayment());
    await changeTerms();
    const path = paths.registrationPayment();
    // The page before had no box, and a tick for it would be one for the earlier text.
    const refused = await reader.post(path, { ...hiddenFields(page), ...order, terms: "on" });
    expect(refused.status).toBe(400);
    expect(alertOf(refused)?.text).toContain(CHANGED);
    expect(refused.dom.querySelector("input[name=cardholder]")?.getAttribute("value")).toBe(
      "Léa Martin",
    );
    expect(termsAtButton(refused)).toMatchObject({ box: "unticked", error: undefined });
    const unticked = await reader.post(path, { ...hiddenFields(refused), ...order });
    expect(unticked.status).toBe(400);
    const paid = await reader.post(path, { ...hiddenFields(refused), ...order, terms: "on" });
    expect(paid.status).toBe(303);
  });

  it("that leads to the bank comes back", async () => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(paths.registration());
    await changeTerms();
    const refused = await reader.post(paths.registration(), {
      ...hiddenFields(page),
      intent: "pay",
    });
    expect(refused.status).toBe(400);
    expect(alertOf(refused)?.text).toContain(CHANGED);
    const anew = { ...hiddenFields(refused), intent: "pay", terms: "on" };
    const { terms: _, ...unticked } = anew;
    expect((await reader.post(paths.registration(), unticked)).status).toBe(400);
    expect((await reader.post(paths.registration(), anew)).headers.get("location")).toContain(
      "/api/sandbox/pay/",
    );
  });

  it("that retries a payment leads to one that asks", async () => {
    const reader = visitor();
    const bank = await reachBank(reader);
    const failed = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    await changeTerms();
    const retry = { ...hiddenFields(failed), intent: "retry" };
    const anew = await reader.follow(await reader.post(failed.path, retry));
    expect(anew.html).toContain("Nos conditions ont changé pendant que cette page était ouverte");
    expect(anew.path).toBe(paths.registrationPayment());
    expect(termsAtButton(anew).box).toBe("unticked");
    const fresh = { ...(await reader.get(failed.path)), path: failed.path };
    expect(fresh.dom.querySelector(".price__action button")?.text).toBe(
      "Continuer vers le paiement",
    );
    const again = await reader.post(fresh.path, { ...hiddenFields(fresh), intent: "retry" });
    expect(again.headers.get("location")).toBe(paths.registrationPayment());
  });
});

describe("the receipt of a notice", () => {
  it.each([
    [paths.cancelContract(), "notify"],
    [paths.withdrawal(), "confirm"],
  ])("of %s repeats the typed address, known or not", async (path, intent) => {
    const known = newEmail();
    await subscribe(visitor(), known);
    const told = [];
    for (const email of [known, newEmail("personne")]) {
      const reader = visitor();
      const sent = await reader.post(path, { name: "Léa", email, intent });
      expect(sent.headers.get("location")).toMatch(/\?sent=\w+$/);
      const main = (await reader.follow(sent)).dom.querySelector("main")?.text ?? "";
      expect(main).toContain(email);
      told.push(main.replace(email, "").replace(/Reçue le .*? à \d\d:\d\d/, ""));
    }
    expect(told[0]).toBe(told[1]);
  });
});
