import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { embeddedPlatform } from "../../server/embedded";
import { newUid } from "../../server/platform/ports/ids";
import { filesBelow } from "../architecture/sources";
import { openPages, type PageAnswer, type Visitor } from "../support/pages";
import { CARDS, cardFields, newEmail, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const rowsOf = ({ dom }: PageAnswer) =>
  dom.querySelectorAll("main .rows > li:not(:has(details))").map((row) => ({
    text: row.querySelector("p")?.text,
    details: row.querySelectorAll("p")[1]?.text,
    state: row.querySelector(".tag")?.text,
    href: row.querySelector("a")?.getAttribute("href") ?? null,
  }));

const DAY = "2026-11-20T10:00:00.000Z";

async function subscriber() {
  const reader = visitor();
  const email = newEmail();
  await subscribe(reader, email);
  return { reader, email, uid: await paymentOf(email) };
}

async function paymentOf(email: string): Promise<string> {
  const { database } = await embeddedPlatform();
  const { uid } = await database
    .selectFrom("payment")
    .innerJoin("account", "account.uid", "payment.account_uid")
    .select("payment.uid")
    .where("account.identifier", "=", email)
    .executeTakeFirstOrThrow();
  return uid;
}

async function addRefund(payment_uid: string, amount: number, status: "success" | "pending") {
  const { database } = await embeddedPlatform();
  const settled_at = status === "success" ? DAY : null;
  await database
    .insertInto("refund")
    .values({
      uid: newUid(),
      payment_uid,
      amount,
      status,
      created_at: DAY,
      settled_at,
      made_by: "provider",
    })
    .execute();
}

async function addDispute(payment_uid: string) {
  const { database } = await embeddedPlatform();
  await database
    .insertInto("payment_claim")
    .values({
      reference: newUid(),
      payment_uid,
      kind: "dispute",
      amount: 100,
      status: "open",
      created_at: DAY,
    })
    .execute();
}

/** Somebody who paid, or tried to, with that card, and has no subscription of it. */
async function payer(card: string) {
  const reader = visitor();
  const email = newEmail();
  await reader.post(await reachBank(reader, email), cardFields(card));
  return { reader, uid: await paymentOf(email) };
}

describe("the payments of a subscriber", () => {
  it("stand on the page of the subscription with their receipts", async () => {
    const { reader, uid } = await subscriber();
    const page = await reader.get(paths.accountSubscription());
    expect(rowsOf(page)).toEqual([
      {
        text: expect.stringMatching(/^Reçu du \d.*: 1,00\s€$/),
        details: expect.stringMatching(/^VIP mensuel · du \d.* au \d/),
        state: "Payé",
        href: paths.accountPayment(uid),
      },
    ]);
    const all = page.dom.querySelector(
      `section[aria-labelledby=payments] > p a[href="${paths.accountPayments()}"]`,
    );
    expect(all?.text).toBe("Voir tous mes paiements");
    expect(rowsOf(await reader.get(paths.accountPayments()))).toEqual(rowsOf(page));
  });

  it("come ten a page, and the newest three elsewhere", async () => {
    const { reader, uid } = await subscriber();
    const { database } = await embeddedPlatform();
    const known = await database
      .selectFrom("payment")
      .selectAll()
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    const older = Array.from({ length: 11 }, (_, index) => ({
      ...known,
      uid: newUid(),
      idempotency_key: null,
      gateway_reference: null,
      created_at: `2025-${String(index + 1).padStart(2, "0")}-01T10:00:00.000Z`,
    }));
    await database.insertInto("payment").values(older).execute();
    expect(rowsOf(await reader.get(paths.accountSubscription()))).toHaveLength(3);
    const first = await reader.get(paths.accountPayments());
    expect(rowsOf(first)).toHaveLength(10);
    const more = first.dom.querySelector(".load-more a")?.getAttribute("href") ?? "";
    const second = await reader.get(more);
    expect(rowsOf(second).map(({ href }) => href)).toEqual([
      paths.accountPayment(older[1]?.uid ?? ""),
      paths.accountPayment(older[0]?.uid ?? ""),
    ]);
    expect(second.dom.querySelector(".load-more")).toBeNull();
    expect(mainOf(second)).toContain("Revenir aux plus récents");
  });

  it.each(["x", "a b", Buffer.from('["tickets"]').toString("base64url")])(
    "are a bad request after %s",
    async (after) => {
      const { reader } = await subscriber();
      expect((await reader.get(paths.accountPayments({ after }))).status).toBe(400);
    },
  );

  it("name what went back and what is on its way", async () => {
    const { reader, uid } = await subscriber();
    await addRefund(uid, 40, "success");
    await addRefund(uid, 60, "pending");
    const [row] = rowsOf(await reader.get(paths.accountPayments()));
    expect(row?.state).toBe("Remboursé en partie");
    expect(row?.details).toMatch(
      /remboursement de 0,40\s€ le 20\snov\.\s2026 · remboursement de 0,60\s€ en cours$/,
    );
  });

  it("say that the bank claims one back", async () => {
    const { reader, uid } = await subscriber();
    await addDispute(uid);
    expect(rowsOf(await reader.get(paths.accountPayments()))[0]?.state).toBe("Contesté");
    expect(mainOf(await reader.get(paths.accountPayment(uid)))).toContain("est contesté auprès");
  });

  it.each([
    [CARDS.declined, "Refusé", "rien n’a été débité"],
    [CARDS.pending, "En attente", "n’a pas encore confirmé"],
  ])("with card %s have no receipt", async (card, state, told) => {
    const { reader, uid } = await payer(card);
    expect(rowsOf(await reader.get(paths.accountPayments()))).toMatchObject([
      { text: expect.not.stringContaining("Reçu"), state, href: null },
    ]);
    const page = await reader.get(paths.accountPayment(uid));
    expect(page.status).toBe(200);
    expect(page.dom.querySelector("h1")?.text).toMatch(/^Paiement du \d/);
    expect(mainOf(page)).toContain(told);
    expect(mainOf(page)).not.toMatch(/Reçu n°|Montant payé/);
  });

  it("stand above the attempts, which are folded", async () => {
    const { reader, uid } = await subscriber();
    const { database } = await embeddedPlatform();
    const known = await database
      .selectFrom("payment")
      .selectAll()
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    const attempts = (["failure", "cancelled"] as const).map((status) => ({
      ...known,
      uid: newUid(),
      idempotency_key: null,
      gateway_reference: null,
      status,
      created_at: "2037-01-01T10:00:00.000Z",
    }));
    await database.insertInto("payment").values(attempts).execute();
    const { dom } = await reader.get(paths.accountPayments());
    const [paid, folded] = dom.querySelectorAll("main .rows:not(details .rows) > li");
    expect(paid?.querySelector(".tag")?.text).toBe("Payé");
    expect(folded?.querySelector("summary")?.text).toBe("Tentatives sans débit");
    expect(folded?.querySelector("details")?.hasAttribute("open")).toBe(false);
    expect(folded?.querySelector("details > p")?.text).toBe("Rien n’a été débité.");
    const states = folded?.querySelectorAll("li .tag").map(({ text }) => text);
    expect(states?.sort()).toEqual(["Abandonné", "Refusé"]);
  });

  it("on a page that was left unpaid are told as not finished", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    const list = await reader.get(paths.accountPayments());
    expect(rowsOf(list)).toMatchObject([
      { state: expect.stringMatching(/^Non terminé\s: rien n’est débité$/), href: null },
    ]);
    expect(list.dom.querySelector("main .rows .tag--warning")).toBeNull();
    const page = await reader.get(paths.accountPayment(await paymentOf(email)));
    expect(mainOf(page)).toMatch(/rien n’est débité/);
    expect(mainOf(page)).not.toContain("n’a pas encore confirmé");
  });

  it("of a renewal without a card are told as not asked, and as no bank's refusal", async () => {
    const { reader, uid } = await payer(CARDS.declined);
    const { database } = await embeddedPlatform();
    await database
      .updateTable("payment")
      .set({ kind: "renewal", error_code: "no-card" })
      .where("uid", "=", uid)
      .execute();
    const [row] = rowsOf(await reader.get(paths.accountPayments()));
    expect(row?.state).toMatch(/^Non demandé\s: aucune carte enregistrée$/);
    const told = mainOf(await reader.get(paths.accountPayment(uid)));
    expect(told).toContain("n’a pas été demandé à votre banque");
    expect(told).not.toMatch(/refusé/i);
  });

  it("that were accepted after they had been given up are told as going back", async () => {
    const { reader, uid } = await payer(CARDS.declined);
    await addRefund(uid, 100, "pending");
    const returned = await reader.follow(await reader.get(serverPaths.paymentCallback()));
    expect(returned.path).toContain(serverPaths.registrationResult("failure", false));
    expect(returned.dom.querySelector("h1")?.text).toBe("Le paiement vous est remboursé");
    for (const page of [returned, await reader.get(paths.login())]) {
      expect(mainOf(page)).toContain("la somme vous est remboursée");
      expect(mainOf(page)).not.toContain("n’a été débité");
    }
    expect(rowsOf(await reader.get(paths.accountPayments()))[0]?.state).toBe("Payé");
  });

  it("say so where there are none", async () => {
    const { reader, uid } = await payer(CARDS.declined);
    const { database } = await embeddedPlatform();
    await database.deleteFrom("payment").where("uid", "=", uid).execute();
    expect(mainOf(await reader.get(paths.accountPayments()))).toContain("Aucun paiement");
    const elsewhere = await reader.get(paths.accountData());
    expect(elsewhere.dom.querySelector(`main a[href="${paths.accountPayments()}"]`)).toBeNull();
  });

  it("stay within reach once the contract has ended", async () => {
    const { reader, email, uid } = await subscriber();
    const { database } = await embeddedPlatform();
    await database
      .updateTable("subscription")
      .set({ ended_at: DAY })
      .where("payment_uid", "=", uid)
      .execute();
    await reader.post(paths.login(), { email, password: "un mot de passe" });
    expect((await reader.get(paths.accountSubscription())).status).toBe(302);
    const { dom } = await reader.get(paths.accountData());
    const all = dom.querySelector(`main a[href="${paths.accountPayments()}"]`);
    const list = await reader.get(all?.getAttribute("href") ?? "");
    expect(rowsOf(list)).toMatchObject([{ href: paths.accountPayment(uid) }]);
    expect((await reader.get(paths.accountPayment(uid))).status).toBe(200);
  });
});

describe("a receipt", () => {
  const factsOf = ({ dom }: PageAnswer) =>
    Object.fromEntries(
      dom
        .querySelectorAll("main dl > div")
        .map((fact) => [fact.querySelector("dt")?.text, fact.querySelector("dd")?.text]),
    );

  it("names seller, client, service, period and amount", async () => {
    const { reader, email, uid } = await subscriber();
    const page = await reader.get(paths.accountPayment(uid));
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("private, no-store");
    const number = uid.replaceAll("-", "").slice(-12).toUpperCase();
    expect(page.dom.querySelector("h1")?.text.replaceAll("-", "")).toBe(`Reçu n°\u00a0${number}`);
    const facts = factsOf(page);
    expect(facts).toMatchObject({
      Client: email,
      Service: "VIP mensuel",
      "Montant payé TTC": expect.stringMatching(/^1,00\s€$/),
      "Période payée": expect.stringMatching(/^du \d.* au \d/),
      Carte: "••••\u00a04242",
      État: "Payé",
    });
    // The seller is the one of the legal notice.
    const legal = mainOf(await reader.get(paths.text("legal-notice")));
    for (const part of facts.Vendeur?.split(", ") ?? []) expect(legal).toContain(part);
    expect(legal).toContain(facts["N° de TVA du vendeur"]);
  });

  it("lists the refunds of its payment", async () => {
    const { reader, uid } = await subscriber();
    await addRefund(uid, 100, "success");
    const page = await reader.get(paths.accountPayment(uid));
    expect(page.dom.querySelector("section[aria-labelledby=refunds] li")?.text).toMatch(
      /^remboursement de 1,00\s€ le 20\snov\.\s2026$/,
    );
    expect(factsOf(page)["État"]).toBe("Remboursé");
  });

  it("of somebody else is not found, like an unknown one", async () => {
    const { uid } = await subscriber();
    const { reader } = await subscriber();
    for (const other of [uid, newUid(), "zzz", "%00", "a.b"]) {
      const page = await reader.get(`${paths.accountPayments()}/${other}`);
      expect([other, page.status]).toEqual([other, 404]);
      expect(page.html).not.toContain("Reçu n°");
    }
  });

  it("sends a visitor to sign in and back", async () => {
    const { uid } = await subscriber();
    const refused = await visitor().get(paths.accountPayment(uid));
    expect([refused.status, refused.headers.get("location")]).toEqual([
      302,
      paths.login(paths.accountPayment(uid)),
    ]);
  });

  it("prints without header, footer and buttons", async () => {
    const { reader, uid } = await subscriber();
    const { dom, html } = await reader.get(paths.accountPayment(uid));
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    const [style = ""] = filesBelow("build/client/assets", /\.css$/).map((file) =>
      readFileSync(file, "utf8"),
    );
    const hidden =
      [
        ...style.matchAll(/@media print\{@page\{[^}]*\}(.*?)\{display:none!important\}/gs),
      ][0]?.[1] ?? "";
    const selectors = hidden.split(",").map((selector) => selector.trim());
    const shown = (selector: string) =>
      dom
        .querySelectorAll(selector)
        .filter((element) =>
          selectors.every((hides) => {
            const within = /^body:has\(\.receipt\) (.*)$/.exec(hides)?.[1] ?? hides;
            return element.closest(within) === null;
          }),
        )
        .map(({ outerHTML }) => outerHTML);
    expect(dom.querySelectorAll(".receipt")).toHaveLength(1);
    expect(shown("header a, footer a, button, .button, .breadcrumb a, main a")).toEqual([]);
    expect(shown("main dl")).toHaveLength(3);
  });
});

/** With script or without, nothing of these pages is for the framework. */
it("the pages of payments load no framework script", async () => {
  const reader: Visitor = (await subscriber()).reader;
  const { html } = await reader.get(paths.accountPayments());
  expect(html).not.toContain("modulepreload");
});
