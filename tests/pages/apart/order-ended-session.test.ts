import { afterAll, beforeEach, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { CARDS, newPerson, PASSWORD, payWith, type Person } from "../../platform/funnel";
import { back, loseCard, passDays, subscriber } from "../../platform/life";
import { hiddenFields, openPages, type Fields } from "../../support/pages";
import { cardFields } from "../../support/people";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;

/** What an API elsewhere answers to the question for an offer, made of the platform's answer. */
let offerElsewhere: ((offer: Response) => Response | Promise<Response>) | null = null;
beforeEach(() => {
  offerElsewhere = null;
});

const api = await openLoopback(async (request) => {
  const answer = await platform.fetch(request);
  const isOffer = new URL(request.url).pathname === "/api/offers";
  return isOffer && offerElsewhere ? offerElsewhere(answer) : answer;
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

/** An order in an open page, whose session is ended on another device before it is sent. */
onEachDatabase("an order after its session ended elsewhere", (open) => {
  const PEOPLE: Record<string, () => Promise<Person>> = {
    "a first payer": () => newPerson(platform),
    "a refused payer": async () => {
      const person = await newPerson(platform);
      await payWith(platform, person, CARDS.declined);
      return person;
    },
    "a due renewal": async () => {
      const person = await subscriber(platform, { card: CARDS.renewalDeclined });
      await passDays(platform, 7.1);
      return person;
    },
    "a used trial": async () => {
      const person = await subscriber(platform);
      await loseCard(platform, person);
      await passDays(platform, 45);
      return back(platform, person);
    },
  };

  const ended = (person: Person) =>
    platform.database.deleteFrom("account_session").where("account_uid", "=", person.uid).execute();

  /** A page with a form, open in the browser of somebody whose session has ended since. */
  async function openForm(state: string, path: string) {
    platform = await open({ clock: new FakeClock() });
    const person = await PEOPLE[state]?.();
    if (!person) throw new Error(`Nobody is ${state}`);
    const reader = visitor();
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    const page = await reader.get(path);
    expect(page.dom.querySelector("main form .price button")).not.toBeNull();
    await ended(person);
    return { reader, person, fields: hiddenFields(page) };
  }

  const PATH = paths.registrationPayment();
  const names = { firstName: "Léa", lastName: "Martin" };
  const PAYERS = Object.keys(PEOPLE).filter((state) => state !== "a refused payer");
  const CASES = PAYERS.flatMap((state) => [
    [state, PATH, { ...names, ...cardFields(), intent: "pay" }] as const,
    [state, PATH, { intent: "link" }] as const,
  ]);
  const ORDERS: readonly (readonly [string, string, Fields])[] = [
    ...CASES,
    ["a first payer", paths.registration(), { intent: "pay" }],
    ["a used trial", paths.registration(), { intent: "pay" }],
    ["a refused payer", serverPaths.registrationResult("failure"), { intent: "retry" }],
    ["a refused payer", serverPaths.registrationResult("failure", true), { intent: "retry" }],
  ];

  it.each(ORDERS)("waits for sign-in as a document: %s at %s %j", async (state, path, typed) => {
    const { reader, fields } = await openForm(state, path);
    const sent = await reader.post(path, { ...fields, ...typed });
    expect(sent.status).toBe(307);
    const address = sent.headers.get("location") ?? "";
    expect(address).toBe(`/login?returnTo=${encodeURIComponent(path)}&carried=1`);
    const login = await reader.post(address, { ...fields, ...typed });
    expect(login.html).toContain("Ce que vous avez écrit est conservé");
  });

  it.each(ORDERS)("waits for sign-in with script: %s at %s %j", async (state, path, typed) => {
    const { reader, fields } = await openForm(state, path);
    const { body } = await reader.post(`${path}.data`, { ...fields, ...typed });
    expect(body).toContain(`/login?returnTo=${encodeURIComponent(path)}&carried=1`);
  });

  it.each(ORDERS)("waits for its signed-out account: %s at %s %j", async (state, path, typed) => {
    const { fields } = await openForm(state, path);
    const sent = await visitor().post(path, { ...fields, ...typed });
    expect(sent.status).toBe(307);
    expect(sent.headers.get("location")).toContain("carried=1");
  });

  /** Of an API whose answers do not show by themselves that the session has ended. */
  const ELSEWHERE: Record<string, NonNullable<typeof offerElsewhere>> = {
    "offers without terms": async (answer) => {
      const { payload } = await answer.json();
      const { terms: _, termsAccepted: __, ...offer } = payload;
      return Response.json({ payload: offer }, { status: answer.status });
    },
    "no offers": () => Response.json({ message: "Service Unavailable" }, { status: 503 }),
  };
  const FIRST_ORDERS = ORDERS.filter(([state]) => /first payer|refused payer/.test(state));
  const AT_API = Object.keys(ELSEWHERE).flatMap((name) =>
    FIRST_ORDERS.map(([state, path, typed]) => [name, state, path, typed] as const),
  );

  it.each(AT_API)("waits for sign-in at %s: %s at %s %j", async (name, state, path, typed) => {
    const { reader, fields } = await openForm(state, path);
    offerElsewhere = ELSEWHERE[name] ?? null;
    const sent = await reader.post(path, { ...fields, ...typed });
    expect(sent.status).toBe(307);
    const address = sent.headers.get("location") ?? "";
    expect(address).toBe(`/login?returnTo=${encodeURIComponent(path)}&carried=1`);
  });

  it("is tried again on the page of its result once signed in", async () => {
    const path = serverPaths.registrationResult("failure");
    const { reader, person, fields } = await openForm("a refused payer", path);
    const form = { ...fields, intent: "retry" };
    const sent = await reader.post(path, form);
    const login = await reader.post(sent.headers.get("location") ?? "", form);
    const carried = login.dom.querySelector("[name=carried]")?.getAttribute("value") ?? "";
    const credentials = { email: person.email, password: PASSWORD, carried };
    const resumed = hiddenFields(await reader.post(paths.login(), credentials));
    const page = await reader.follow(await reader.post(path, resumed));
    expect([page.status, page.path]).toEqual([200, path]);
    const order = { ...hiddenFields(page), intent: "retry" };
    const paying = await reader.post(path, order);
    expect(paying.headers.get("location")).toContain("/api/sandbox/pay");
  });

  it("comes back with its price once signed in", async () => {
    const { reader, person, fields } = await openForm("a used trial", PATH);
    const form = { ...fields, ...names, ...cardFields() };
    const sent = await reader.post(PATH, form);
    const login = await reader.post(sent.headers.get("location") ?? "", form);
    const carried = login.dom.querySelector("[name=carried]")?.getAttribute("value") ?? "";
    const credentials = { email: person.email, password: PASSWORD, carried };
    const resumed = hiddenFields(await reader.post(paths.login(), credentials));
    const restored = await reader.post(PATH, resumed);
    expect(restored.status).toBe(200);
    expect(hiddenFields(restored).idempotencyKey).toBe(fields.idempotencyKey);
    const order = { ...hiddenFields(restored), ...names, ...cardFields() };
    const paid = await reader.post(PATH, order);
    expect(paid.headers.get("location")).toContain(serverPaths.paymentCallback());
  });
});
