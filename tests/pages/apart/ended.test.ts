import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../../server/platform/ports/clock";
import { paths, serverPaths } from "~/paths";
import { openLoopback } from "../../app/loopback";
import { PASSWORD } from "../../platform/funnel";
import { back, loseCard, passDays, subscriber } from "../../platform/life";
import { openPages, type PageAnswer } from "../../support/pages";
import { onEachDatabase, type TestPlatform } from "../../support/platform";

let platform: TestPlatform;
/** What a proxy in front of the API does to a request; undefined: nothing. */
let meddle: ((request: Request) => Promise<Response> | undefined) | null = null;
const api = await openLoopback((request) => meddle?.(request) ?? platform.fetch(request));
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";
const registrationLinkIn = ({ dom }: PageAnswer) =>
  dom.querySelector(`main a[href="${paths.registration()}"]`)?.text;

/** */
onEachDatabase("a contract that ended while its owner was signed in", (open) => {
  /** Stopped in the trial of a week, after a day of which the browser signed in. */
  async function ended() {
    meddle = null;
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await passDays(platform, 6);
    const reader = visitor();
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passDays(platform, 1.5);
    return reader;
  }

  it("leads to a new registration at the first press", async () => {
    const reader = await ended();
    const page = await reader.get(paths.registration());
    expect(page.status).toBe(200);
    expect(mainOf(page)).toContain("Votre abonnement est terminé");
    expect(page.dom.querySelector("[name=intent][value=restart]")).not.toBeNull();
  });

  it.each([paths.account(), paths.accountSubscription()])(
    "shows the way to subscribe again at %s",
    async (path) => {
      const reader = await ended();
      const page = await reader.get(path);
      expect(page.status).toBe(200);
      expect(mainOf(page)).toContain("Terminé");
      expect(registrationLinkIn(page)).toBe("M’abonner de nouveau");
    },
  );

  it("deletes nothing without the box, and says what goes", async () => {
    const reader = await ended();
    const page = await reader.get(paths.registration());
    const data = await reader.get(paths.accountData());
    for (const words of ["vos paiements et vos reçus ne s’ouvrent plus", "C’est définitif"]) {
      expect(mainOf(page)).toContain(words);
      expect(mainOf(data)).toContain(words);
    }
    const refused = await reader.post(paths.registration(), { intent: "restart" });
    expect(refused.status).toBe(400);
    expect(mainOf(refused)).toContain("Cochez la case pour confirmer la suppression");
    expect((await reader.get(paths.accountPayments())).status).toBe(200);
  });

  it.each([paths.login(), paths.registration()])(
    "names the right to withdraw that is left at %s",
    async (path) => {
      const reader = await ended();
      // The session learns of the end by the next answer of the API.
      await reader.get(paths.account());
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(/Jusqu’au \d+\s\S+\s\d+ inclus, vous pouvez encore renoncer/);
      expect(page.dom.querySelector(`main a[href="${paths.withdrawal()}"]`)).not.toBeNull();
    },
  );

  it("shows the price of the registration that follows", async () => {
    const reader = await ended();
    const shown = await reader.get(paths.registration());
    const price = shown.dom.querySelector("main .price")?.text;
    expect(price).toMatch(/1,00\s€/);
    expect(price).not.toContain("déjà utilisé");
    const deleted = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    const next = await reader.follow(deleted);
    expect(next.dom.querySelector("main [name=password]")).not.toBeNull();
    for (const words of ["1,00", "9,90"]) {
      expect(next.dom.querySelector("main .price")?.text).toContain(words);
    }
  });

  it("keeps the partner's offer that the page of the deletion shows", async () => {
    const reader = await ended();
    const offerOn = ({ dom }: PageAnswer) => dom.querySelector("main .price")?.text;
    const shown = await reader.get(`${serverPaths.welcome()}?utk=demo-cashback`);
    expect(offerOn(shown)).toContain("Cashback");
    const deleted = await reader.post(serverPaths.welcome(), { intent: "restart", confirm: "on" });
    const next = await reader.follow(deleted);
    expect(next.path).toBe(serverPaths.welcome());
    expect(next.dom.querySelector("main [name=password]")).not.toBeNull();
    expect(offerOn(next)).toContain("Cashback");
  });

  it.each([
    ["after a lost answer", { lost: "1" }],
    ["by a second press", {}],
  ])("tells who sends the deletion %s that the account is gone", async (_, more) => {
    const reader = await ended();
    const cookie = reader.cookie();
    await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    const again = visitor();
    const body = new URLSearchParams({ intent: "restart", confirm: "on", ...more });
    const answer = await again.send(paths.registration(), {
      method: "POST",
      headers: { cookie },
      body,
    });
    const next = await again.follow(answer);
    expect(next.html).toContain("Votre compte n’est plus accessible");
    expect(next.dom.querySelector("main [name=password]")).not.toBeNull();
  });

  it("leads from a payment that was refused before its end", async () => {
    meddle = null;
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    await loseCard(platform, person);
    await passDays(platform, 8);
    const { token } = await back(platform, person);
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    await passDays(platform, 6.5);
    const reader = visitor();
    await reader.post(paths.login(), { email: person.email, password: PASSWORD });
    for (const answer of [
      await reader.get(serverPaths.registrationResult("failure")),
      await reader.post(serverPaths.registrationResult("failure"), { intent: "retry" }),
    ]) {
      const page = await reader.follow(answer);
      expect(page.path).toBe(paths.registration());
      expect(mainOf(page)).not.toContain("Réessayer");
      expect(page.dom.querySelector("[name=intent][value=restart]")).not.toBeNull();
    }
  });

  const unavailable = async () => Response.json({ message: "Non" }, { status: 503 });

  it("keeps the deletion's button when the contract cannot be read", async () => {
    const reader = await ended();
    meddle = (request) => (request.url.endsWith("/subscriptions") ? unavailable() : undefined);
    const page = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    expect(page.status).toBe(503);
    expect(mainOf(page)).toContain("Nous n’avons pas pu lire");
    expect(page.dom.querySelector("[name=intent][value=restart]")).not.toBeNull();
    expect(page.dom.querySelector("[name=intent][value=pay]")).toBeNull();
    meddle = null;
    const done = await reader.follow(
      await reader.post(paths.registration(), { intent: "restart", confirm: "on" }),
    );
    expect(done.html).toContain("votre adresse est libre");
  });

  it("tells of a deletion whose answer was lost", async () => {
    const reader = await ended();
    meddle = (request) =>
      request.method === "DELETE" ? platform.fetch(request).then(unavailable) : undefined;
    const answer = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    const next = await reader.follow(answer);
    expect(next.html).toContain("Votre compte n’est plus accessible");
    expect(next.dom.querySelector("main [name=password]")).not.toBeNull();
  });

  it("asks a signed-out person to sign in for the deletion", async () => {
    const reader = await ended();
    await reader.get(paths.registration());
    meddle = async () => Response.json({ message: "Non" }, { status: 401 });
    const answer = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    meddle = null;
    const page = await reader.follow(answer);
    expect(page.html).toContain("sinon, reconnectez-vous");
  });

  it("keeps the deletion's button when the request for it is lost", async () => {
    const reader = await ended();
    meddle = (request) => (request.method === "DELETE" ? unavailable() : undefined);
    const page = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    expect(page.status).toBe(503);
    expect(page.html).not.toContain("Votre compte n’est plus accessible");
    expect(page.dom.querySelector("[name=intent][value=restart]")).not.toBeNull();
    expect(page.dom.querySelector("[name=lost][value='1']")).not.toBeNull();
    meddle = null;
    const done = await reader.follow(
      await reader.post(paths.registration(), { intent: "restart", confirm: "on", lost: "1" }),
    );
    expect(done.html).toContain("votre adresse est libre");
  });

  it("tells a refused deletion as refused, whatever is read after it", async () => {
    const reader = await ended();
    let isRefused = false;
    meddle = (request) => {
      if (request.method !== "DELETE" && !isRefused) return undefined;
      const status = isRefused ? 401 : 409;
      isRefused = true;
      return Promise.resolve(Response.json({ message: "Non" }, { status }));
    };
    const page = await reader.post(paths.registration(), { intent: "restart", confirm: "on" });
    expect([page.status, page.headers.get("location")]).toEqual([400, null]);
    expect(page.html).not.toContain("Votre compte n’est plus accessible");
    expect(page.dom.querySelector("[name=lost]")).toBeNull();
  });
});
