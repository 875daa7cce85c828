import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { paths, serverPaths } from "~/paths";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../../support/pages";
import {
  cardFields,
  CARDS,
  newEmail,
  reachBank,
  registrationFields,
  subscribe,
} from "../../support/people";
import { openLosingApi } from "../losing-api";

const api = await openLosingApi();
afterAll(() => api.close());
afterEach(() => api.answerRight());

const { visitor } = openPages({ API_URL: api.url });

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const titleOf = ({ dom }: PageAnswer) => dom.querySelector("title")?.text ?? "";

async function subscriber() {
  const reader = visitor();
  const email = newEmail();
  await subscribe(reader, email);
  return { reader, email };
}

describe("a payment tried again in a second tab", () => {
  /** Declined in one tab. */
  async function declined() {
    const reader = visitor();
    const bank = await reachBank(reader);
    const page = await reader.follow(await reader.post(bank, cardFields(CARDS.declined)));
    expect(page.path).toBe(serverPaths.registrationResult("failure"));
    return { reader, retry: { ...hiddenFields(page), intent: "retry" } };
  }

  const payIn = async (reader: Visitor, card: string) => {
    const bank = await reader.post(paths.registration(), { intent: "pay" });
    const { pathname } = new URL(bank.headers.get("location") ?? "", "http://nowhere.test");
    await reader.follow(await reader.post(pathname, cardFields(card)));
  };

  it("shows success when another tab has paid", async () => {
    const { reader, retry } = await declined();
    await payIn(reader, CARDS.success);
    const page = await reader.follow(
      await reader.post(serverPaths.registrationResult("failure"), retry),
    );
    expect([page.status, page.path]).toEqual([200, serverPaths.registrationResult("success")]);
    expect(titleOf(page)).toBe("Cap Céleste - Paiement réussi");
    expect(page.html).not.toContain("n’a pas pu être ouverte");
  });

  it("waits where another tab's payment is pending", async () => {
    const { reader, retry } = await declined();
    await payIn(reader, CARDS.pending);
    const page = await reader.follow(
      await reader.post(serverPaths.registrationResult("failure"), retry),
    );
    expect([page.status, titleOf(page)]).toEqual([200, "Cap Céleste - Paiement en cours"]);
  });

  it("from the registration shows success too", async () => {
    const { reader } = await declined();
    await payIn(reader, CARDS.success);
    const page = await reader.follow(await reader.post(paths.registration(), { intent: "pay" }));
    expect([page.status, titleOf(page)]).toEqual([200, "Cap Céleste - Paiement réussi"]);
  });
});

describe("a second card after an answer that was lost", () => {
  it("does not show the refusal of the first", async () => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(paths.registrationPayment());
    const order = { ...hiddenFields(page), firstName: "Léa", lastName: "Martin" };
    api.loseAnswer("POST", /\/subscriptions$/);
    const lost = await reader.post(paths.registrationPayment(), {
      ...order,
      ...cardFields(CARDS.declined),
    });
    expect(lost.status).toBe(503);
    const kept = hiddenFields(lost).idempotencyKey;
    expect(kept).toBe(order["idempotencyKey" as keyof typeof order]);
    const second = await reader.post(paths.registrationPayment(), { ...order, ...cardFields() });
    expect(second.status).toBe(400);
    expect(mainOf(second)).toContain("Votre première carte a été refusée");
    expect(mainOf(second)).toContain("la carte que vous venez de saisir n’a pas été utilisée");
    const { idempotencyKey } = hiddenFields(second);
    expect(idempotencyKey).not.toBe(kept);
    const paid = await reader.post(paths.registrationPayment(), {
      ...order,
      ...hiddenFields(second),
      ...cardFields(),
    });
    expect((await reader.follow(paid)).path).toBe(serverPaths.registrationResult("success"));
  });
});

it("the refusal of an earlier security code blames no corrected one", async () => {
  const reader = visitor();
  await reachBank(reader);
  const page = await reader.get(paths.registrationPayment());
  const card = cardFields(CARDS.wrongCode);
  const order = { ...hiddenFields(page), firstName: "Léa", lastName: "Martin", ...card };
  api.loseAnswer("POST", /\/subscriptions$/);
  const lost = await reader.post(paths.registrationPayment(), order);
  const corrected = { ...order, ...hiddenFields(lost), cvv: "321" };
  const second = await reader.post(paths.registrationPayment(), corrected);
  expect(second.status).toBe(400);
  const faultOf = ({ dom }: PageAnswer) => dom.querySelector("#payment-cvv-error")?.text;
  expect(faultOf(second)).toContain("le code de sécurité de votre premier envoi");
  expect(faultOf(second)).toContain("ce nouvel envoi ne lui a rien demandé");
  expect(mainOf(second)).not.toContain("Votre première carte");
  const third = { ...corrected, ...hiddenFields(second) };
  const asked = await reader.post(paths.registrationPayment(), third);
  expect(faultOf(asked)).toContain("ne reconnaît pas ce code");
});

describe("a card whose answer was lost", () => {
  it.each([
    ["read as paid", false, serverPaths.registrationResult("success")],
    ["that cannot be read", true, serverPaths.paymentCallback()],
  ])("and sent again is never called uncharged, with a payment %s", async (_, isUnread, shown) => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(paths.registrationPayment());
    const name = { firstName: "Léa", lastName: "Martin" };
    const order = { ...hiddenFields(page), ...name, ...cardFields() };
    const cookie = reader.cookie();
    await reader.post(paths.registrationPayment(), order);
    if (isUnread) api.refuse("GET", /\/subscriptions\/payment$/, 503);
    // The first answer has not reached the browser, nor have its cookies.
    const second = visitor();
    const body = new URLSearchParams(order);
    const sent = { method: "POST", headers: { cookie }, body };
    const again = await second.follow(await second.send(paths.registrationPayment(), sent));
    expect(again.path.split("?")[0]).toBe(shown);
    expect(again.html).not.toContain("rien n’a été débité");
  });

  it("is never called uncharged while nothing of it can be read", async () => {
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(paths.registrationPayment());
    const name = { firstName: "Léa", lastName: "Martin" };
    const order = { ...hiddenFields(page), ...name, ...cardFields(CARDS.declined) };
    api.loseAnswer("POST", /\/subscriptions$/);
    const lost = await reader.post(paths.registrationPayment(), order);
    expect(lost.status).toBe(503);
    api.refuse("GET", /\/(offers|subscriptions\/payment|subscriptions)$/, 503);
    for (const shown of [
      await reader.get(paths.registrationPayment()),
      await reader.post(paths.registrationPayment(), { ...order, ...hiddenFields(lost) }),
    ]) {
      expect(mainOf(shown)).toContain("Nous n’avons pas pu lire");
      expect(mainOf(shown)).not.toMatch(/rien n’(?:est|a été) débité(?! avant)/i);
    }
  });
});

describe("a card whose request was lost", () => {
  const NOTHING = "rien n’a été débité";

  /** A partner's person, whose only order did not reach the API. */
  async function unheard() {
    const reader = visitor();
    const page = await reader.get(`${serverPaths.welcome()}?utk=demo-cashback`);
    const name = { firstName: "Léa", lastName: "Martin" };
    const order = { ...hiddenFields(page), ...registrationFields(), ...name, ...cardFields() };
    api.refuse("POST", /\/subscriptions$/, 503);
    const lost = await reader.post(paths.registrationPayment(), order);
    expect([lost.status, mainOf(lost).includes(NOTHING)]).toEqual([503, false]);
    return reader;
  }

  /** The site's clock, past the time in which a slow order may still arrive. */
  const passMinute = () => vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });
  afterEach(() => void vi.useRealTimers());

  it("may still arrive for a minute", async () => {
    const reader = await unheard();
    api.answerRight();
    const page = await reader.follow(await reader.get(serverPaths.paymentCallback()));
    expect(mainOf(page)).not.toContain(NOTHING);
    expect(mainOf(page)).toContain("ne payez pas une seconde fois");
  });

  it.each([
    serverPaths.paymentCallback({ cashback: true, success: true }),
    serverPaths.registrationResult("success"),
    paths.registration(),
    paths.registrationPayment(),
  ])("is told as never charged on %s", async (path) => {
    const reader = await unheard();
    api.answerRight();
    passMinute();
    const page = await reader.follow(await reader.get(path));
    expect([page.status, page.dom.querySelector("main form") !== null]).toEqual([200, true]);
    expect(mainOf(page)).toContain("ne nous est pas parvenu");
    expect(mainOf(page)).toContain(NOTHING);
  });

  it("may still arrive for a minute after another one was lost", async () => {
    const reader = await unheard();
    passMinute();
    api.answerRight();
    const page = await reader.get(paths.registrationPayment());
    const name = { firstName: "Léa", lastName: "Martin" };
    api.refuse("POST", /\/subscriptions$/, 503);
    const order = { ...hiddenFields(page), ...name, ...cardFields() };
    expect((await reader.post(paths.registrationPayment(), order)).status).toBe(503);
    api.answerRight();
    const shown = await reader.follow(await reader.get(serverPaths.paymentCallback()));
    expect(mainOf(shown)).not.toContain(NOTHING);
  });

  it("may be paid while the API does not answer", async () => {
    const reader = await unheard();
    passMinute();
    api.refuse("GET", /\/subscriptions\/payment$/, 503);
    const page = await reader.get(serverPaths.paymentCallback());
    expect([page.status, mainOf(page).includes(NOTHING)]).toEqual([503, false]);
    expect(mainOf(page)).toContain("ne payez pas une seconde fois");
  });

  it("is told no more once another is paid", async () => {
    const reader = await unheard();
    api.answerRight();
    passMinute();
    const page = await reader.get(paths.registrationPayment());
    const name = { firstName: "Léa", lastName: "Martin" };
    const order = { ...hiddenFields(page), ...name, ...cardFields() };
    const paid = await reader.follow(await reader.post(paths.registrationPayment(), order));
    expect(paid.path).toBe(serverPaths.registrationResult("success", true));
    expect(mainOf(paid)).not.toContain(NOTHING);
  });
});

describe("a stop that is done already", () => {
  const stop = (reader: Visitor) => reader.post(paths.accountSubscription(), { confirm: "on" });
  const confirmBox = "main [name=confirm]";

  /** By a stranger. */
  async function stopUnsigned(email: string) {
    const request = new Request(`${api.url}/cancellations`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Zoé Kowalska", email }),
    });
    expect((await api.platform.fetch(request)).status).toBe(202);
    await api.platform.runDueJobs();
  }

  it("is confirmed to a second tab", async () => {
    const { reader } = await subscriber();
    await stop(reader);
    const answer = await stop(reader);
    expect(answer.status).toBe(303);
    const page = await reader.follow(answer);
    expect(mainOf(page)).toContain("Arrêt demandé");
    expect(titleOf(page)).not.toContain("Erreur");
  });

  it("is confirmed though its answer was lost", async () => {
    const { reader } = await subscriber();
    api.loseAnswer("POST", /\/unsubscribe$/);
    const page = await reader.follow(await stop(reader));
    expect([page.status, page.path]).toEqual([200, paths.accountSubscription()]);
    expect(mainOf(page)).toContain("Arrêt demandé");
  });

  it("stays a failure when the request was lost", async () => {
    const { reader } = await subscriber();
    api.refuse("POST", /\/unsubscribe$/, 503);
    const page = await stop(reader);
    expect([page.status, mainOf(page).includes("Arrêt demandé")]).toEqual([503, false]);
  });

  it("stays a failure when the request was lost after a stranger's notice, and can be sent again", async () => {
    const { reader, email } = await subscriber();
    await stopUnsigned(email);
    api.refuse("POST", /\/unsubscribe$/, 503);
    const page = await stop(reader);
    expect(page.status).toBe(503);
    expect(page.html).not.toContain("demande d’arrêt est enregistrée");
    expect(page.dom.querySelector(confirmBox)).not.toBeNull();
    api.answerRight();
    const again = await reader.follow(await stop(reader));
    expect(again.html).toContain("demande d’arrêt est enregistrée");
  });

  it("by a stranger's notice is not told as the reader's own by an API that refuses a second", async () => {
    const { reader, email } = await subscriber();
    await stopUnsigned(email);
    api.refuse("POST", /\/unsubscribe$/, 409);
    const page = await reader.follow(await stop(reader));
    expect(page.html).toContain("était déjà arrêté");
    expect(page.html).not.toContain("est enregistrée");
    expect(page.html).not.toContain("il le reste");
  });
});

describe("a deletion whose answer was lost", () => {
  const remove = (reader: Visitor, more = {}) =>
    reader.post(paths.accountData(), { confirm: "on", ...more });

  it("is reported as possibly done, without a sign-in", async () => {
    const { reader } = await subscriber();
    api.loseAnswer("DELETE", /\/users\//);
    const page = await remove(reader);
    expect(page.status).toBe(503);
    expect(mainOf(page)).toContain("votre compte a peut-être été supprimé");
    expect(page.dom.querySelector("[name=confirm][checked]")).not.toBeNull();
    const again = await remove(reader, hiddenFields(page));
    expect([again.status, again.headers.get("location")]).toEqual([303, paths.home()]);
    expect((await reader.follow(again)).html).toContain("Votre compte n’est plus accessible");
  });

  it("is told as done to who has pressed twice", async () => {
    const { reader } = await subscriber();
    const page = await reader.get(paths.accountData());
    const fields = { ...hiddenFields(page), confirm: "on" };
    const cookie = reader.cookie();
    expect((await reader.post(paths.accountData(), fields)).status).toBe(303);
    const second = visitor();
    const body = new URLSearchParams(fields);
    const answer = await second.send(paths.accountData(), {
      method: "POST",
      headers: { cookie },
      body,
    });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.home()]);
    expect((await second.follow(answer)).html).toContain("Votre compte n’est plus accessible");
  });

  it("is carried out on retry if it was lost", async () => {
    const { reader } = await subscriber();
    api.refuse("DELETE", /\/users\//, 503);
    const page = await remove(reader);
    api.answerRight();
    const again = await reader.follow(await remove(reader, hiddenFields(page)));
    expect(again.html).toContain("Votre compte est supprimé");
  });
});

it("the lost answer to signing out everywhere is reported", async () => {
  const { reader } = await subscriber();
  api.loseAnswer("DELETE", /\/sessions$/);
  const page = await reader.post(paths.account(), { intent: "end-sessions" });
  expect(page.status).toBe(503);
  expect(mainOf(page)).toContain("peut-être déjà fermées partout");
});
