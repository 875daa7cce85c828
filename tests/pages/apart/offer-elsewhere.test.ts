import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { hiddenFields, openPages, type PageAnswer } from "../../support/pages";
import { cardFields, reachBank } from "../../support/people";
import { openElsewhere } from "../elsewhere";

const PATH = "/registration/payment";

const UNKNOWN = "<h1>Not Found</h1>";
const html = { "content-type": "text/html" };

/** How APIs and the servers in front of them say that they do not know a path, or not this method. */
const REFUSALS: [string, () => Response][] = [
  ["404", () => Response.json({ message: "Non" }, { status: 404 })],
  ["404 with a page", () => new Response(UNKNOWN, { status: 404, headers: html })],
  ["404 in words of its own", () => Response.json({ error: "no route" }, { status: 404 })],
  ["404 and nothing else", () => new Response(null, { status: 404 })],
  ["405", () => Response.json({ message: "Non" }, { status: 405 })],
  ["405 with a page", () => new Response(UNKNOWN, { status: 405, headers: html })],
  ["501", () => new Response(null, { status: 501 })],
];

/** What its API answers where it is asked for an offer or an order, and what it was sent to be charged. */
let refuse: (() => Response) | undefined;
let refuseOrder: (() => Response) | undefined;
let charged: unknown[] = [];

const { url, platform, close } = await openElsewhere(async (request, platform) => {
  const { pathname } = new URL(request.url);
  const isRead = pathname === "/api/offers" || pathname === "/api/redirects";
  if (isRead && refuse) return refuse();
  if (request.method === "POST" && /\/subscriptions/.test(pathname)) {
    charged.push(await request.clone().json());
    if (refuseOrder) return refuseOrder();
  }
  return platform.fetch(request);
});
afterAll(close);

const { visitor } = openPages({ API_URL: url });

const order = (page: PageAnswer) => ({
  ...hiddenFields(page),
  firstName: "Léa",
  lastName: "Martin",
  ...cardFields(),
});

const priceOf = ({ dom }: PageAnswer) => dom.querySelector(".price")?.text ?? "";

const setAmount = (amount: number) =>
  platform.database
    .updateTable("formula")
    .set({ amount })
    .where("uid", "=", "vip-mensuel")
    .execute();

beforeEach(async () => {
  charged = [];
  refuse = undefined;
  refuseOrder = undefined;
  await setAmount(990);
});

describe.each(REFUSALS)("an API that answers offers with %s", (_, refusal) => {
  it("has its offer derived from its formula", async () => {
    refuse = refusal;
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(PATH);
    expect(priceOf(page)).toMatch(/7\sjours à 1,00\s€.*9,90\s€/s);
    charged = [];
    const link = page.dom.querySelector("form a[href='/terms-of-service']");
    expect(link?.text).toContain("conditions générales");
    // An API without versions of the terms has those that the registration asked for.
    const paid = await reader.post(PATH, order(page));
    expect(paid.headers.get("location")).toContain("/callback/payment");
    expect(charged).toMatchObject([{ formula: "vip-mensuel" }]);
    expect(charged[0]).not.toHaveProperty("offer");
  });

  it("is sent no charge after its formula changed", async () => {
    refuse = refusal;
    const reader = visitor();
    await reachBank(reader);
    const page = await reader.get(PATH);
    await setAmount(1290);
    charged = [];
    const refused = await reader.post(PATH, order(page));
    expect(refused.status).toBe(400);
    expect(priceOf(refused)).toMatch(/12,90\s€/);
    expect(charged).toEqual([]);
  });

  it("has its partner's offer derived from the token", async () => {
    refuse = refusal;
    const page = await visitor().get(`${PATH}?utk=demo-cashback`);
    expect(priceOf(page)).toMatch(/14,90\s€.*Cashback\s*20,00\s€/s);
    const expired = await visitor().get(`${PATH}?utk=demo-expire`);
    expect(expired.html).toContain("Unable to get a token");
  });

  it("has no redirects either", async () => {
    refuse = refusal;
    const page = await visitor().get("/nulle-part");
    expect(page.status).toBe(404);
  });
});

describe("an API whose offers call fails", () => {
  it.each([500, 502, 503, 418])("with %i gets no derived offer", async (status) => {
    refuse = () => new Response(null, { status });
    const page = await visitor().get("/registration");
    expect(page.dom.querySelector("main [role=alert]")?.text).toContain("Nous n’avons pas pu lire");
    expect(priceOf(page)).toBe("");
  });
});

it("an order refused for an offer that cannot be read tells no new price", async () => {
  const reader = visitor();
  await reachBank(reader);
  const page = await reader.get(PATH);
  const violations = [{ property: "offer", message: "Changed", type: "invalid" }];
  refuseOrder = () => {
    refuse = () => new Response(null, { status: 503 });
    return Response.json({ message: "Validation failed", violations }, { status: 400 });
  };
  const { status, body } = await reader.post(`${PATH}.data`, order(page));
  expect(status).toBe(503);
  expect(body).toContain("Nous n’avons pas pu lire");
  expect(body).not.toContain("montant affiché maintenant");
});
