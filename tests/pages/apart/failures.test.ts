import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { HTMLElement } from "node-html-parser";
import type { EndpointName } from "~/contract/endpoints";
import { endpoints } from "~/contract/endpoints";
import { PLATFORM_CODES } from "~/contract/subscriptions";
import { TEXT_PAGES } from "~/paths";
import entries from "~/routes";
import { read } from "../../architecture/sources";
import { hiddenFields, type Fields, type PageAnswer } from "../../support/pages";
import { isBroken, lostFrom, openFailingCalls, type Check } from "../failing-calls";
import { subscription, type Lie } from "../lying-api";
import { FORMS, T, type Person } from "../posted-forms";

const { api, cookieOf, requestAs, faultsOf } = await openFailingCalls();

/** Each page: who reads it. */
const READS: [Person, string][] = [
  ["nobody", "/"],
  ["nobody", "/articles"],
  ["nobody", "/article/lune"],
  ["subscriber", "/article/lune"],
  ["member", "/article/lune"],
  ["nobody", "/drafts/lune?token=jeton"],
  ["nobody", "/about"],
  ["nobody", "/site-map"],
  ["subscriber", "/site-map"],
  ["nobody", "/registration"],
  ["nobody", "/registration?utk=jeton"],
  ["member", "/registration"],
  ["nobody", "/registration/welcome?utk=jeton"],
  ["member", "/registration/welcome?utk=jeton"],
  ["member", "/registration/payment"],
  ["nobody", "/registration/payment?utk=jeton"],
  ["member", "/registration/success"],
  ["member", "/registration/failure"],
  ["member", "/callback/payment?cashback=0&success=1"],
  ["member", "/login"],
  ["subscriber", "/account"],
  ["subscriber", "/account/favorites"],
  ["subscriber", "/account/subscription"],
  ["subscriber", "/account/contract"],
  ["subscriber", "/account/payments"],
  ["subscriber", "/account/payments/p1"],
  ["subscriber", "/account/data"],
  ["member", "/account/data"],
  ["member", "/account/email"],
  ["member", "/account/email/confirm?token=secret"],
  ["subscriber", "/account/export"],
  ["subscriber", "/coaching"],
  ["subscriber", "/coaching/new-discussion"],
  ["subscriber", "/coaching/t1"],
  ["nobody", `/contact/tickets?${T}`],
  ["nobody", `/contact/tickets/t1?${T}`],
  ["coach", "/desk"],
  ["coach", "/desk/t1"],
  ["coach", "/account"],
  ["nobody", "/nulle-part"],
  ["nobody", `/terms-of-service/${"0".repeat(64)}`],
  ["nobody", "/cancel-contract/undo?token=secret"],
  ["nobody", "/withdrawal/confirm?token=secret"],
  ["member", "/account/subscription/undo"],
  ["nobody", "/cancel-contract"],
  ["member", "/cancel-contract"],
  ["nobody", "/withdrawal"],
  ["member", "/withdrawal"],
  ["member", "/logout"],
  ["nobody", "/registration/release?token=secret"],
  ["nobody", "/reset-password"],
  ["nobody", "/reset-password/update?token=secret"],
  ["nobody", "/contact"],
  ["nobody", "/contact/new-ticket"],
  ["nobody", "/contact/link"],
  ["member", "/contact/new-ticket"],
  ["member", "/contact/link"],
];

describe("a page shows that its call failed", () => {
  it.each(READS)("to %s at %s", async (person, path) => {
    const read = () => requestAs(person, path);
    const silent = DISPENSABLE[path] ?? {};
    const isSilent = (how: Lie, call: EndpointName) =>
      call in silent || (how === 401 && SHOWN_TO_NOBODY.includes(path));
    const check: Check = (answer, how, call) => (isSilent(how, call) ? [] : untold(answer, how));
    expect(await faultsOf({ read, send: read, path }, check)).toEqual([]);
  });
});

describe("a post waits once for a silent read", () => {
  it.each<[Person, string, EndpointName]>([
    ["member", "/registration", "getOffer"],
    ["member", "/registration/payment", "getOffer"],
  ])("of %s at %s: %s", async (person, path, call) => {
    await cookieOf(person);
    const fields = FORMS.find(([by, at]) => by === person && at === path)?.[2] ?? {};
    api.tell({ call, how: "silence" });
    const answer = await requestAs(person, path, fields);
    expect([answer.status, api.calls.get(call)]).toEqual([503, 1]);
  });
});

/** Routes whose loader shows nothing that it reads, or that no test can read to an end. */
const WITHOUT_READ: Record<string, string> = {
  article: "redirects",
  "contact/tickets/:uid/events": "a stream without an end",
  "coaching/:uid/events": "a stream without an end",
  page404: "reads nothing",
  page5xx: "reads nothing, and answers 500 by design",
  "builds/latest.json": "reads nothing",
  cookies: "reads nothing",
  translation: "reads nothing",
  "robots.txt": "reads nothing",
  "article/:uid/picture.png": "no page (sharing-elsewhere.test.ts)",
  "sitemap.xml": "no page (sharing-elsewhere.test.ts)",
  "medias/:file": "no page (images.test.ts)",
  "sitemap/:file": "no page (sharing-elsewhere.test.ts)",
  "feed.xml": "no page (sharing-elsewhere.test.ts)",
  "feed/:file": "no page (sharing-elsewhere.test.ts)",
  "api/*": "passes the API's answer on",
  "registration/welcome/:result": "the page of registration/:result",
};

/** Routes whose action sends nothing, or is the action of another path. */
const WITHOUT_FORM: Record<string, string> = {
  "api/*": "passes the API's answer on",
  "*": "refuses all posts",
  "registration/welcome/:result": "the form of registration/:result",
  logout: "signs out whatever the API answers",
  cookies: "asks the API nothing",
  translation: "asks the API nothing",
};

describe("the lists of pages and forms", () => {
  const isListed = (list: readonly (readonly [Person, string, ...unknown[]])[], path: string) => {
    const parts = path.split("/").map((part) => (part.startsWith(":") ? "[^/]+" : part));
    const pattern = new RegExp(`^/${parts.join("/").replace("*", "[^/]+")}$`);
    return list.some(([, address]) => pattern.test(address.split("?")[0] ?? ""));
  };
  const texts: readonly string[] = TEXT_PAGES;
  const table = entries
    .map(({ path = "", file }) => ({ path, source: read(`app/${file}`) }))
    .filter(({ path }) => path === "about" || !texts.includes(path));

  it("hold each route that reads", () => {
    const reading = table.filter(({ source }) => /function loader\b/.test(source));
    const missing = reading.filter(({ path }) => !(path in WITHOUT_READ || isListed(READS, path)));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });

  it("hold each route that takes a form", () => {
    const posting = table.filter(({ source }) => /function action\b/.test(source));
    const missing = posting.filter(({ path }) => !(path in WITHOUT_FORM || isListed(FORMS, path)));
    expect(missing.map(({ path }) => path)).toEqual([]);
  });
});

describe("a form keeps all values when its call fails", () => {
  it.each(FORMS)("of %s at %s: %j", async (person, path, fields) => {
    const read = () => requestAs(person, path);
    const send = () => requestAs(person, path, fields);
    const check: Check = (answer, how) => lostFrom(answer, fields, how);
    expect(await faultsOf({ read, send, path }, check)).toEqual([]);
  });
});

describe("the first discussion keeps the name that was typed", () => {
  const path = "/coaching/new-discussion";
  const [, , texts = {}] = FORMS.find(([, at]) => at === path) ?? [];
  const fields = { ...texts, name: "Ada Byron" };
  const send = () => requestAs("subscriber", path, fields);
  const metadata = { data: "{}", date: "2026-11-20T09:00:00Z", modified: "2026-11-20T09:00:00Z" };
  beforeEach(() => api.become({ getMetadata: { payload: metadata } }));
  afterEach(() => api.become());

  it("when one of its calls fails", async () => {
    const read = () => requestAs("subscriber", path);
    const check: Check = (answer, how) => lostFrom(answer, fields, how);
    expect(await faultsOf({ read, send, path }, check)).toEqual([]);
  });

  it("without an API", async () => {
    await cookieOf("subscriber");
    api.tell({ how: "reset" });
    expect(lostFrom(await send(), fields, "reset")).toEqual([]);
  });

  it("and sends it once the profile can be read", async () => {
    await cookieOf("subscriber");
    api.tell({ call: "getMetadata", how: 502 });
    const again = { ...fields, ...hiddenFields(await send()) };
    api.tell();
    expect((await requestAs("subscriber", path, again)).status).toBe(303);
    expect(api.calls.get("setMetadata")).toBe(1);
  });
});

/**
 * Without the ticket there is nothing to manage: of the desk's forms only the answer stays. Who corrects the
 * address is signed out by the site itself.
 */
const KEPT = FORMS.filter(
  ([, path, fields]) => (path !== "/desk/t1" || "message" in fields) && fields.intent !== "correct",
);

describe("a form keeps all values without an API", () => {
  it.each(KEPT)("of %s at %s: %j", async (person, path, fields) => {
    await cookieOf(person);
    api.tell({ how: "reset" });
    const answer = await requestAs(person, path, fields);
    expect(answer.status).toBeGreaterThanOrEqual(500);
    expect(lostFrom(answer, fields, "reset")).toEqual([]);
  });
});

/** What is told of a write that may have been carried out. */
const OF_LOST_WRITES = /peut-être|qu’une fois|ne savons pas/;

describe("a read that fails before a write is told as a read", () => {
  it.each(FORMS)("of %s at %s: %j", async (person, path, fields) => {
    await cookieOf(person);
    api.tell();
    await requestAs(person, path, fields);
    const reads = [...api.calls.keys()].filter((call) => endpoints[call].method === "GET");
    for (const call of reads) {
      api.tell({ call, how: 502 });
      const { dom } = await requestAs(person, path, fields);
      expect(dom.querySelector("main")?.text ?? "", call).not.toMatch(OF_LOST_WRITES);
    }
  });
});

describe("nobody is asked to sign in again who never did", () => {
  // Who registers is signed in by it.
  it.each(FORMS.filter(([person, path]) => person === "nobody" && path !== "/registration"))(
    "as %s at %s: %j",
    async (person, path, fields) => {
      api.tell();
      await requestAs(person, path, fields);
      for (const call of [...api.calls.keys()]) {
        api.tell({ call, how: 401 });
        const { dom } = await requestAs(person, path, fields);
        const said = dom.querySelector("main")?.text ?? "";
        expect(said, call).not.toMatch(/reconnectez|votre session/i);
      }
    },
  );
});

describe("what support cannot read is told once, also in the title", () => {
  // Of a list, a snackbar tells it too, in other words.
  it.each<[Person, string, EndpointName, number]>([
    ["subscriber", "/coaching", "listTickets", 3],
    ["subscriber", "/coaching/t1", "getTicket", 2],
    ["nobody", `/contact/tickets?${T}`, "listTickets", 3],
    ["nobody", `/contact/tickets/t1?${T}`, "getTicket", 2],
  ])("to %s at %s", async (person, path, call, count) => {
    await cookieOf(person);
    api.tell({ call, how: 502 });
    const { dom } = await requestAs(person, path);
    expect(dom.querySelector("title")?.text).toMatch(/^Erreur/);
    const sentences = dom.querySelectorAll(".notice p, .snackbar p").map(({ text }) => text);
    expect(sentences).toHaveLength(count);
    expect(new Set(sentences).size).toBe(count);
  });
});

/** Pages that show, in place of what they are for, that it could not be read. */
const UNREAD_IN_PLACE: [Person, string, EndpointName][] = [
  ["subscriber", "/coaching", "listTickets"],
  ["subscriber", "/coaching/t1", "getTicket"],
  ["nobody", `/contact/tickets?${T}`, "listTickets"],
  ["nobody", `/contact/tickets/t1?${T}`, "getTicket"],
  ["coach", "/desk", "listDeskTickets"],
  ["coach", "/desk/t1", "getDeskTicket"],
  ["subscriber", "/account/favorites", "getMetadata"],
  ["subscriber", "/account/favorites", "listArticles"],
  ["subscriber", "/account/subscription", "getSubscription"],
  ["subscriber", "/account/contract", "getContractProof"],
  ["subscriber", "/account/contract", "getSubscription"],
  ["subscriber", "/account/payments", "listPayments"],
  ["subscriber", "/account/payments/p1", "getPayment"],
  ["member", "/account/subscription/undo", "getSubscription"],
  ["member", "/account/subscription/undo", "previewUndoUnsignedNotices"],
  ["nobody", "/cancel-contract/undo?token=secret", "previewUndoCancellation"],
  ["nobody", "/withdrawal/confirm?token=secret", "previewUndoWithdrawal"],
  ["member", "/registration/payment", "getOffer"],
  ["member", "/registration/success", "getLastPayment"],
  ["member", "/callback/payment", "getLastPayment"],
  ["member", "/login", "getLastPayment"],
];

/** The contract has a notice that its owner may undo. */
const noticed = { payload: { ...subscription, hasUnsignedNotice: true as const } };

describe("the site map without what the API could not read", () => {
  it.each<[Person, EndpointName]>([
    ["nobody", "listCategories"],
    ["nobody", "listAuthors"],
    ["subscriber", "listTags"],
  ])("keeps its other pages, and is kept by nobody: %s, %s", async (person, call) => {
    await cookieOf(person);
    api.tell({ call, how: 502 });
    const { status, headers, dom } = await requestAs(person, "/site-map");
    expect([status, headers.get("cache-control")]).toEqual([200, "private, no-store"]);
    expect(dom.querySelector("main [role=alert]")?.text).toContain("Nous n’avons pas pu lire");
    const links = dom.querySelectorAll("main .panel a").map((link) => link.getAttribute("href"));
    expect(links).toEqual(expect.arrayContaining(["/", "/articles", "/contact", "/privacy"]));
    expect(links).toContain(person === "nobody" ? "/login" : "/account/favorites");
  });
});

describe("a page whose read was limited says how long to wait", () => {
  beforeEach(() => api.become({ getSubscription: noticed }));
  afterEach(() => api.become());

  it.each(UNREAD_IN_PLACE)("to %s at %s", async (person, path, call) => {
    await cookieOf(person);
    api.tell({ call, how: 429 });
    const { status, headers, dom } = await requestAs(person, path);
    expect([status, headers.get("retry-after")]).toEqual([429, "2520"]);
    expect(dom.querySelector("main")?.text).toMatch(/Réessayez dans 42\sminutes/);
  });

  it("keeps the sentence on what was paid", async () => {
    await cookieOf("member");
    api.tell({ call: "getLastPayment", how: 429 });
    const { dom } = await requestAs("member", "/registration/success");
    expect(dom.querySelector("main")?.text).toContain("ne payez pas une seconde fois");
  });
});

describe("a page that could not read what it is for is 502 or 503", () => {
  beforeEach(() => api.become({ getSubscription: noticed }));
  afterEach(() => api.become());

  it.each(UNREAD_IN_PLACE)("to %s at %s", async (person, path, call) => {
    await cookieOf(person);
    const statuses = [];
    for (const how of [502, "silence"] as const) {
      api.tell({ call, how });
      const { status, headers, dom } = await requestAs(person, path);
      statuses.push(status);
      expect(headers.get("retry-after")).toBe("60");
      expect(dom.querySelector("title")?.text).toMatch(/^Erreur/);
    }
    expect(statuses).toEqual([502, 503]);
  });
});

describe("what a refusal says is still there stands in the page", () => {
  it.each(FORMS)("of %s at %s: %j", async (person, path, fields) => {
    await cookieOf(person);
    api.tell();
    await requestAs(person, path, fields);
    for (const call of [...api.calls.keys()]) {
      api.tell({ call, how: 502 });
      const { dom } = await requestAs(person, path, fields);
      const emptied = dom.querySelectorAll(
        "main form [type=password], main form [name=cardNumber]",
      );
      const said = dom.querySelector("main [role=alert]")?.text ?? "";
      if (emptied.length > 0) expect(said, call).not.toMatch(/tout ce que vous avez saisi/i);
    }
  });
});

describe("a recap says that the own contract could not be read", () => {
  const notice = { name: "Ada Byron", email: "ada@exemple.fr", intent: "recap" };

  it.each<[string, EndpointName]>([
    ["/cancel-contract", "getSubscription"],
    ["/cancel-contract", "getUser"],
    ["/withdrawal", "getSubscription"],
  ])("at %s without %s", async (path, call) => {
    await cookieOf("subscriber");
    const warnings = [];
    for (const how of [undefined, 502, "silence"] as const) {
      api.tell(how && { call, how });
      const { status, dom } = await requestAs("subscriber", path, notice);
      expect([status, dom.querySelector("main button[value=edit]")]).toEqual([
        200,
        expect.anything(),
      ]);
      const main = dom.querySelector("main form")?.text ?? "";
      warnings.push(main.includes("Nous n’avons pas pu lire votre contrat"));
    }
    expect(warnings).toEqual([false, true, true]);
  });

  it("to its owner alone", async () => {
    await cookieOf("subscriber");
    api.tell({ call: "getSubscription", how: 502 });
    const other = { ...notice, email: "bea@exemple.fr" };
    for (const [person, fields] of [
      ["nobody", notice],
      ["subscriber", other],
    ] as const) {
      const { dom } = await requestAs(person, "/cancel-contract", fields);
      expect(dom.querySelector("main button[value=edit]")).not.toBeNull();
      expect(dom.querySelector("main form")?.text).not.toContain("pas pu lire");
    }
  });
});

describe("a conflict of an order", () => {
  const path = "/registration/payment";
  const fields = FORMS.find(([by, at]) => by === "member" && at === path)?.[2] ?? {};
  const EARLIER = "Votre première carte a été refusée";

  async function refusedFor(...properties: string[]) {
    await cookieOf("member");
    const named = properties.map((property) => ({ property, message: "Non", type: "invalid" }));
    const violations = named.length > 0 && { violations: named };
    api.tell({ call: "pay", how: { status: 409, body: { message: "Non", ...violations } } });
    const page = await requestAs("member", path, fields);
    expect(page.status).toBe(400);
    return page.dom.querySelector("main")?.text ?? "";
  }

  it.each(["subscription", "payment"])("with a %s blames no earlier card", async (property) => {
    const words = await refusedFor(property);
    expect(words).toContain("Vous avez déjà un abonnement, ou un paiement est encore en cours");
    expect(words).not.toContain(EARLIER);
  });

  it("without a cause may be about an earlier card", async () => {
    expect(await refusedFor()).toContain(EARLIER);
    expect(await refusedFor("idempotencyKey")).toContain(EARLIER);
  });
});

describe("the result of a payment", () => {
  const day = "2026-11-20T09:00:00Z";
  const order = { formula: "vip-cashback", trafficToken: "jeton" };
  const refused = {
    status: "Failure",
    amount: 1490,
    date: day,
    error: { code: "declined", message: "Non" },
  } as const;
  afterEach(() => api.become());

  it("keeps a refused order while its offer is unread", async () => {
    await cookieOf("member");
    api.become({ getLastPayment: { payload: { ...refused, ...order } } });
    api.tell({ call: "getOffer", how: 502 });
    const page = await requestAs("member", "/registration/failure");
    expect(hiddenFields(page)).toMatchObject(order);
    expect(hiddenFields(page)).not.toHaveProperty("offer");
    expect(page.dom.querySelector("main form")?.text).toContain("pas pu lire le prix");
  });

  it.each([...PLATFORM_CODES, ""])("tells by no code of ours why it failed: %j", async (code) => {
    await cookieOf("member");
    api.become({
      getLastPayment: { payload: { ...refused, ...order, error: { ...refused.error, code } } },
    });
    const { dom } = await requestAs("member", "/registration/failure");
    const said = dom.querySelector("main [role=alert], main [role=status]")?.text;
    expect(said).toMatch(/débité|remboursé/);
    expect(said).not.toMatch(/\(code/);
  });

  it("says that the credit could not be read", async () => {
    await cookieOf("subscriber");
    const told = [];
    for (const how of [undefined, 404, 502] as const) {
      api.tell(how && { call: "getSubscription", how });
      const { dom } = await requestAs("subscriber", "/registration/success");
      told.push(dom.querySelector("main")?.text.includes("pas pu lire si votre offre"));
    }
    expect(told).toEqual([false, false, true]);
  });
});

describe("a profile that is not stored yet", () => {
  it.each<[string, Fields]>([
    ["/account", { intent: "name", name: "Léa" }],
    ["/article/lune", { intent: "keep" }],
    ["/coaching/new-discussion", { subject: "Mars", message: "Et moi ?", name: "Léa" }],
  ])("is made by the post at %s", async (path, fields) => {
    await cookieOf("subscriber");
    api.tell({ call: "getMetadata", how: 404 });
    const answer = await requestAs("subscriber", path, fields);
    expect([answer.status, api.calls.get("setMetadata")]).toEqual([303, 1]);
  });
});

describe("a ticket whose colleagues cannot be read", () => {
  it.each(["c1", "c2"])("stays assigned to %s after a refusal", async (assignee) => {
    await cookieOf("coach");
    api.tell({ call: "listCoaches", how: 502 });
    const change = { assignee, status: "none", version: "1", intent: "change" };
    const { status, dom } = await requestAs("coach", "/desk/t1", change);
    const chosen = dom.querySelector("[name=assignee] [selected]")?.getAttribute("value");
    expect([status, chosen]).toEqual([400, assignee]);
  });
});

describe("a session that ends between a form's calls", () => {
  it("leads to sign-in, with the discussion carried", async () => {
    const path = "/coaching/new-discussion";
    const fields = FORMS.find(([, at]) => at === path)?.[2];
    await cookieOf("subscriber");
    api.tell({ call: "createTicket", how: 401 });
    const { status, headers } = await requestAs("subscriber", path, fields);
    expect(status).toBe(307);
    expect(headers.get("location")).toMatch(/^\/login\?.*carried/);
  });
});

/** What a page does without, and what it then shows or does. */
const DISPENSABLE: Record<string, Partial<Record<EndpointName, string>>> = {
  "/": { getOffer: "no price; the link to it stays" },
  "/article/lune": {
    listAuthors: "the text alone",
    listCategories: "the text alone",
    listTags: "the text alone",
    getMetadata: "the button without its state",
  },
  "/registration/payment": {
    getBankingService: "no name of the statement",
  },
  "/login": { getLastPayment: "signed out", getSubscription: "signed out" },
  "/account": {
    getUser: "the e-mail of the session",
    getBankingService: "no name of the statement",
  },
  "/account/export": { exportUser: "a download: the page of the data tells that it failed" },
  "/coaching/new-discussion": {
    getMetadata: "no question, as the post asks again",
    getCoachingFacts: "no usual time, and no field for the birth",
  },
  "/cancel-contract": { getUser: "the form, whose address is typed" },
  "/withdrawal": { getUser: "the form, whose address is typed" },
  "/contact/new-ticket": { getUser: "the form, whose address is typed" },
  "/contact/link": { getUser: "the form, whose address is typed" },
  "/reset-password/update?token=secret": { checkPasswordLink: "the form, which tells" },
  "/account/email/confirm?token=secret": { checkEmailLink: "the button, which tells" },
  "/logout": { getUser: "the button, without the address of the account" },
  "/desk": { getDeskCounts: "the lists without their numbers" },
  "/desk/t1": { listCoaches: "a sentence in the form" },
};

/**
 * Pages for everybody. To somebody whose session was ended elsewhere they are what they are to nobody,
 * with the way to sign in.
 */
const SHOWN_TO_NOBODY = ["/registration", "/registration/welcome?utk=jeton"];

const TOLD = ".notice--error, .notice--warning, [role=alert], .error-page";

const isInMain = (told: HTMLElement) => told.closest("main") !== null;

/** A page that looks as if nothing had failed. */
function untold({ status, dom }: PageAnswer, how: Lie): string[] {
  if (how === 404) return [];
  if (status >= 300 && status < 400) return isBroken(how) ? ["leads on"] : [];
  return dom.querySelectorAll(TOLD).some(isInMain) ? [] : ["tells nothing"];
}
