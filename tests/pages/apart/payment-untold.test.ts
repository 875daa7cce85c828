import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { tokenOf } from "../../app/people";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../../support/pages";
import { cardFields } from "../../support/people";
import { openLyingApi, subscription, type Lie } from "../lying-api";

/** An API that has no call for the newest payment, and no contract unless a test says so. */
const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url, PAYMENT_ORIGINS: "https://bank.example" });

const RETURNED = serverPaths.paymentCallback({ cashback: false, success: true });
const LEFT = serverPaths.paymentCallback({ cashback: false, success: false });
const NOT_TWICE = "ne payez pas une seconde fois";
const OPENING = "jusqu’à 5 minutes";

beforeEach(() => {
  api.tell();
  api.become();
  api.lack("getLastPayment", "getSubscription");
});

/** The contract that an order of this moment opens. */
function openContract(startedDateTime = new Date().toISOString()) {
  api.lack("getLastPayment");
  api.become({ getSubscription: { payload: { ...subscription, startedDateTime } } });
}

const textOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const hasOrder = ({ dom }: PageAnswer) => dom.querySelector("main form") !== null;

async function open(reader: Visitor, path: string) {
  const page = await reader.follow(await reader.get(path));
  return { ...page, path: page.path || path };
}

/** Somebody signed in whose token has no role yet. */
async function member(): Promise<Visitor> {
  api.signIn(tokenOf("signed in", { acl: {} }));
  const reader = visitor();
  await reader.post(paths.login(), { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

async function payByCard(reader: Visitor) {
  const page = await reader.get(paths.registrationPayment());
  const name = { firstName: "Ada", lastName: "Byron" };
  const order = { ...hiddenFields(page), ...name, ...cardFields() };
  return reader.follow(await reader.post(paths.registrationPayment(), order));
}

async function goToBank(reader: Visitor) {
  const page = await reader.get(paths.registration());
  const order = { ...hiddenFields(page), intent: "pay" };
  const { headers } = await reader.post(paths.registration(), order);
  expect(headers.get("location")).toContain("https://bank.example");
}

describe("a card that was charged", () => {
  it("is told as paid on every page that follows", async () => {
    const reader = await member();
    const paid = await payByCard(reader);
    expect([paid.path, textOf(paid)]).toEqual([
      serverPaths.registrationResult("success"),
      expect.stringContaining(OPENING),
    ]);
    for (const path of [paths.registration(), paths.registrationPayment(), RETURNED]) {
      expect((await open(reader, path)).path).toBe(serverPaths.registrationResult("success"));
    }
    expect(textOf(await reader.get(paths.login()))).toContain("Votre accès se prépare");
  });

  it("is told as ended once its contract has", async () => {
    const reader = await member();
    await payByCard(reader);
    openContract();
    // Its paid period is over too: otherwise it would be on hold.
    const ended = {
      endedDateTime: "2999-01-01T09:00:00Z",
      expirationDateTime: "2026-11-20T09:00:00Z",
    };
    api.become({ getSubscription: { payload: { ...subscription, ...ended } } });
    expect(textOf(await reader.get(paths.login()))).toContain("a pris fin le");
  });

  it.each([502, 409, "cut"] satisfies Lie[])("and answered with %s may be paid", async (how) => {
    const reader = await member();
    api.tell({ call: "pay", how });
    await payByCard(reader);
    api.tell();
    expect(textOf(await reader.get(RETURNED))).toContain(NOT_TWICE);
  });

  it("and refused is ordered again", async () => {
    const reader = await member();
    const error = { message: "Refusée", code: "declined" };
    const refusal = { payload: { status: "Failure", error } };
    api.tell({ call: "pay", how: { status: 400, body: refusal } });
    await payByCard(reader);
    api.tell();
    const page = await open(reader, RETURNED);
    expect([page.path, hasOrder(page)]).toEqual([paths.registration(), true]);
    expect(textOf(page)).not.toContain("déjà");
  });
});

describe("the way back from the bank's page", () => {
  it("says that it may be paid", async () => {
    const reader = await member();
    await goToBank(reader);
    for (const path of [RETURNED, serverPaths.registrationResult("success"), paths.login()]) {
      const page = await open(reader, path);
      expect([path, page.path, page.status]).toEqual([path, path, 502]);
      expect(hasOrder(page)).toBe(false);
    }
    expect(textOf(await reader.get(RETURNED))).toContain(NOT_TWICE);
  });

  it("is told as paid once the contract is there", async () => {
    const reader = await member();
    await goToBank(reader);
    openContract();
    const page = await open(reader, RETURNED);
    expect([page.path, textOf(page)]).toEqual([
      serverPaths.registrationResult("success"),
      expect.stringContaining(OPENING),
    ]);
  });

  it("leads to another order whoever left it", async () => {
    const reader = await member();
    await goToBank(reader);
    const page = await open(reader, LEFT);
    expect([page.path, hasOrder(page)]).toEqual([paths.registration(), true]);
    expect(page.dom.querySelector("main [role=alert]")?.text).toContain("pas pu lire");
    expect(textOf(page)).not.toContain("Rien n’est encore commandé");
  });
});

describe("a due renewal", () => {
  /** Somebody whose debit was refused, of a contract from before this order. */
  async function debtor(): Promise<Visitor> {
    const contract = {
      ...subscription,
      startedDateTime: "2020-01-20T09:00:00Z",
      expirationDateTime: "2020-02-20T09:00:00Z",
      graceDateTime: "2999-01-01T09:00:00Z",
      dueReason: "declined" as const,
    };
    api.lack("getLastPayment", "getOffer");
    api.become({ getSubscription: { payload: contract } });
    api.signIn(tokenOf("debtor", { acl: { vip: true } }));
    const reader = visitor();
    await reader.post(paths.login(), { email: "ada@exemple.fr", password: "un mot de passe" });
    return reader;
  }

  it("is not told as paid to who comes back from the bank's page", async () => {
    const reader = await debtor();
    const page = await reader.get(paths.registrationPayment());
    const order = { ...hiddenFields(page), intent: "link" };
    const { headers } = await reader.post(paths.registrationPayment(), order);
    expect(headers.get("location")).toContain("https://bank.example");
    const back = await open(reader, RETURNED);
    expect([back.path, back.status]).toEqual([RETURNED, 502]);
    expect(textOf(back)).toContain(NOT_TWICE);
    expect(textOf(back)).not.toContain("a réussi");
  });

  it("is told as paid by the card that was charged", async () => {
    const reader = await debtor();
    const paid = await payByCard(reader);
    expect([paid.path, paid.status]).toEqual([serverPaths.registrationResult("success"), 200]);
  });

  it("is not told as paid by an earlier card", async () => {
    const reader = await debtor();
    await payByCard(reader);
    api.tell({ call: "pay", how: 502 });
    await payByCard(reader);
    api.tell();
    const back = await open(reader, RETURNED);
    expect([back.path, back.status]).toEqual([RETURNED, 502]);
    expect(textOf(back)).toContain(NOT_TWICE);
  });
});

describe("a running contract whose access is not open yet", () => {
  it.each([paths.registration(), paths.registrationPayment(), RETURNED])(
    "leads from %s to what was paid",
    async (path) => {
      openContract();
      const page = await open(await member(), path);
      expect(page.path).toBe(serverPaths.registrationResult("success"));
      expect(textOf(page)).toContain(OPENING);
    },
  );

  it("is told as opening at the sign-in", async () => {
    openContract();
    expect(textOf(await (await member()).get(paths.login()))).toContain("Votre accès se prépare");
  });

  it.each([
    ["404 in other words", 404, { error: "no route" }],
    ["405", 405, { message: "Non" }],
    ["501", 501, {}],
  ])("is told where the call is answered %s", async (_, status, body) => {
    api.lack();
    const reader = await member();
    api.tell({ call: "getLastPayment", how: { status, body } });
    expect(textOf(await reader.get(paths.login()))).toContain("Votre accès se prépare");
  });
});

it("whoever ordered nothing is offered an order", async () => {
  const reader = await member();
  const page = await open(reader, RETURNED);
  expect([page.path, hasOrder(page)]).toEqual([paths.registration(), true]);
  expect(textOf(page)).toContain("Rien n’est encore commandé");
  expect(textOf(await reader.get(paths.login()))).toContain("pas d’abonnement en cours");
});
