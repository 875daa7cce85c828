import { describe, expect, it, onTestFinished, vi } from "vitest";
import { TEXT_PAGES } from "~/paths";
import { isPageHandle } from "~/session/page-handle";
import { embeddedPlatform } from "../../server/embedded";
import { withoutFormKeys } from "../support/form-keys";
import { newEmail, subscribe } from "../support/people";
import { openThreads } from "./threads";

const { visitor, routes, newTicket } = openThreads();

const caching = ({ headers }: { headers: Headers }) => ({
  kept: headers.get("cache-control"),
  varies: /\bcookie\b/i.test(headers.get("vary") ?? ""),
});
const NOWHERE = { kept: "private, no-store", varies: true };

describe("a personal page", () => {
  const PERSONAL = [
    "/account",
    "/account/favorites",
    "/account/subscription",
    "/account/data",
    "/account/email",
    "/account/email/confirm?token=x",
    "/account/payments",
    "/coaching",
    "/coaching/new-discussion",
    "/logout",
  ];

  it("is stored by no browser, nor its data", async () => {
    const reader = visitor();
    await subscribe(reader);
    for (const path of PERSONAL) {
      for (const address of [path, `${path}.data`]) {
        const answer = await reader.open(address);
        expect([address, answer.status, caching(answer)]).toEqual([address, 200, NOWHERE]);
      }
    }
    expect((await reader.get("/account/export")).headers.get("cache-control")).toBe(NOWHERE.kept);
  });

  it.each([
    "/login",
    "/registration",
    "/registration/payment",
    "/contact/new-ticket",
    "/contact/tickets?t=0123456789abcdef0123456789abcdef",
    "/reset-password/update?token=x",
    "/cancel-contract",
    "/cancel-contract/undo?token=x",
    "/withdrawal",
  ])("is stored by no browser at %s, signed in or not", async (path) => {
    expect(caching(await visitor().get(path))).toEqual(NOWHERE);
  });

  it("is stored by no browser when a mailed link opens it, nor its data", async () => {
    const { path, uid, t } = await newTicket();
    for (const opened of [path, `/contact/tickets?t=${t}`]) {
      for (const address of [opened, opened.replace("?", ".data?")]) {
        const answer = await visitor().open(address);
        expect([address, answer.status, caching(answer)]).toEqual([address, 200, NOWHERE]);
        expect(await answer.text()).toContain(address.includes(uid) ? "Bonjour" : "Question");
      }
    }
  });

  it("is not stored when it redirects", async () => {
    expect(caching(await visitor().get("/account"))).toEqual(NOWHERE);
    expect(caching(await visitor().get("/coaching/unknown"))).toEqual(NOWHERE);
  });

  it("is not stored when its form has errors", async () => {
    const answer = await visitor().post("/login", { email: newEmail(), password: "faux-mot" });
    expect([answer.status, caching(answer)]).toEqual([400, NOWHERE]);
  });
});

describe("a page for everybody", () => {
  const PUBLIC = ["/", "/articles", "/article/lire-son-theme-natal", "/about", "/page404"];

  it("is revalidated by a signed-in visitor's browser", async () => {
    const reader = visitor();
    await reader.follow(await subscribe(reader));
    await reader.get("/");
    for (const path of PUBLIC) {
      const asked = { kept: "private, no-cache", varies: true };
      expect([path, caching(await reader.get(path))]).toEqual([path, asked]);
      if (path !== "/page404") expect(caching(await reader.open(`${path}.data`))).toEqual(asked);
    }
  });

  it("varies by cookie for visitors too", async () => {
    for (const path of PUBLIC) {
      const shared = { kept: "no-cache", varies: true };
      expect([path, caching(await visitor().get(path))]).toEqual([path, shared]);
    }
  });

  it("is not stored while it shows a flash message", async () => {
    const reader = visitor();
    await subscribe(reader);
    const home = await reader.follow(await reader.post("/logout", {}));
    expect(home.html).toContain("Votre session est fermée");
    expect(caching(home)).toEqual(NOWHERE);
  });

  it("does not contain the reader's e-mail", async () => {
    const email = newEmail();
    const reader = visitor();
    await subscribe(reader, email);
    for (const path of ["/", "/_root.data", "/article/lire-son-theme-natal.data"]) {
      expect(await (await reader.open(path)).text()).not.toContain(email);
    }
  });
});

describe("a page that the host keeps", () => {
  /** Addresses of all routes that declare `shared`. */
  const addresses = (digest: string): Record<string, string> => ({
    "routes/home/route": "/",
    "routes/articles/route": "/articles",
    "routes/article/route": "/article/lire-son-theme-natal",
    "routes/contact/route": "/contact",
    "routes/contact-link/route": "/contact/link",
    "routes/contact-new-ticket/route": "/contact/new-ticket",
    "routes/login/route": "/login",
    "routes/registration/route": "/registration",
    "routes/reset-password/route": "/reset-password",
    "cancel-contract": "/cancel-contract",
    welcome: "/registration/welcome",
    withdrawal: "/withdrawal",
    "routes/site-map/route": "/site-map",
    "routes/terms-version/route": `/terms-of-service/${digest}`,
    ...Object.fromEntries(TEXT_PAGES.map((uid) => [uid, `/${uid}`])),
  });

  async function digestOfTerms() {
    const { database } = await embeddedPlatform();
    const version = database.selectFrom("terms_version").select("digest");
    return (await version.executeTakeFirstOrThrow()).digest;
  }

  /** What each address shows at this moment. */
  async function pagesAt(moment: string) {
    vi.setSystemTime(new Date(moment));
    const paths = Object.values(addresses(await digestOfTerms()));
    const texts = paths.map(async (path) => {
      const { body } = await visitor().get(path);
      return [path, withoutFormKeys(body)] as const;
    });
    return Object.fromEntries(await Promise.all(texts));
  }

  it("is of a route that is known here", async () => {
    const shared = Object.entries(routes()).flatMap(([id, route]) => {
      const handle: unknown = route?.module.handle;
      return isPageHandle(handle) && handle.shared !== false ? [id] : [];
    });
    expect(Object.keys(addresses("")).sort()).toEqual(shared.sort());
  });

  it("is kept for roles on the listed routes only", () => {
    const perRole = Object.entries(routes()).flatMap(([id, route]) => {
      const handle: unknown = route?.module.handle;
      return isPageHandle(handle) && handle.perRole !== false ? [[id, handle.perRole]] : [];
    });
    expect(Object.fromEntries(perRole)).toEqual({
      "routes/home/route": [],
      "routes/articles/route": [],
      "routes/article/route": ["favorite"],
    });
  });

  it("changes by time alone only at midnight in Paris", async () => {
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"] });
    const morning = await pagesAt("2027-02-09T23:00:00.000Z");
    const evening = await pagesAt("2027-02-10T22:59:59.999Z");
    expect(evening).toEqual(morning);
    const next = await pagesAt("2027-02-10T23:00:00.000Z");
    expect(Object.keys(next).filter((path) => next[path] !== evening[path])).toEqual([
      "/",
      "/registration",
      "/registration/welcome",
    ]);
  });
});
