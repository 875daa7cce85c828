import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { tokenOf } from "../../app/people";
import { openPages, type PageAnswer, type Visitor } from "../../support/pages";
import { openLyingApi, subscription } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

const ENDED = { ...subscription, endedDateTime: "2026-11-01T09:00:00Z" };

beforeEach(() => {
  api.tell();
  api.become();
  api.signIn(tokenOf("signed in"));
});

const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

async function subscriber(): Promise<Visitor> {
  const reader = visitor();
  await reader.post(paths.login(), { email: "ada@exemple.fr", password: "un mot de passe" });
  return reader;
}

async function stop(reader: Visitor) {
  const answer = await reader.post(paths.accountSubscription(), { confirm: "on" });
  return (await reader.follow(answer)).html;
}

describe("an API without the list of payments", () => {
  beforeEach(() => api.lack("listPayments"));

  it("has a stop that promises no mail", async () => {
    const html = await stop(await subscriber());
    expect(html).toContain("Votre demande d’arrêt est enregistrée");
    expect(html).not.toContain("Une confirmation vous est envoyée");
  });

  it("has an ended contract that leads to no payments", async () => {
    const reader = await subscriber();
    api.become({ getSubscription: { payload: ENDED } });
    for (const path of [paths.account(), paths.accountSubscription()]) {
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(/terminé|a pris fin/i);
      expect(page.dom.querySelector(`main a[href="${paths.accountPayments()}"]`)).toBeNull();
    }
  });

  it("has a payment that promises no mailed receipt", async () => {
    const reader = await subscriber();
    const text = mainOf(await reader.get(serverPaths.registrationResult("success")));
    expect(text).toMatch(/9,90\s€/);
    expect(text).not.toContain("Reçu envoyé");
  });
});

describe("an API with it", () => {
  beforeEach(() => api.lack());

  it("promises the mails and leads to the payments", async () => {
    const reader = await subscriber();
    expect(await stop(reader)).toContain("Une confirmation vous est envoyée");
    expect(mainOf(await reader.get(serverPaths.registrationResult("success")))).toContain(
      "Reçu envoyé",
    );
    api.become({ getSubscription: { payload: ENDED } });
    const page = await reader.get(paths.account());
    expect(page.dom.querySelector(`main a[href="${paths.accountPayments()}"]`)).not.toBeNull();
  });
});
