import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { tokenOf } from "../../app/people";
import { openPages, type Visitor } from "../../support/pages";
import { openLyingApi, subscription } from "../lying-api";

const api = await openLyingApi();
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: api.url });

const EMAIL = "ada@exemple.fr";
const REST = { amount: 2091, untilDateTime: "2028-11-20T10:00:00Z" };
const running = {
  ...subscription,
  reference: "c1",
  withdrawalEndedDateTime: "2027-01-01T00:00:00Z",
};
const told = { payload: { ...running, refundOnDeletion: REST } };

const GIVEN = /20,91\s€ vous sont rendus sur la carte/;
const INSTEAD = "mettre fin au contrat tout de suite";

beforeEach(() => {
  api.tell();
  api.become({ getSubscription: told });
});

async function subscriber(): Promise<Visitor> {
  api.signIn(tokenOf("signed in"));
  const reader = visitor();
  await reader.post(paths.login(), { email: EMAIL, password: "un mot de passe" });
  return reader;
}

const wordsAt = async (reader: Visitor, path: string) =>
  (await reader.get(path)).dom.querySelector("main")?.text ?? "";

const recapOf = async (reader: Visitor, path: string = paths.cancelContract()) => {
  const fields = { name: "Ada Byron", email: EMAIL, intent: "recap" };
  return (await reader.post(path, fields)).dom.querySelector("main");
};

describe("a period that was renewed without its notice", () => {
  it("names what the deletion gives back, before its button", async () => {
    const { dom } = await (await subscriber()).get(paths.accountData());
    const form = dom.querySelector("#deletion-panel form");
    expect(form?.text).toMatch(GIVEN);
    expect(form?.text.search(GIVEN)).toBeLessThan(form?.text.indexOf("Supprimer mon compte") ?? 0);
  });

  it("names what the release gives back, before its button", async () => {
    const reader = visitor();
    const path = `${serverPaths.registrationRelease()}?token=${"a".repeat(43)}`;
    api.become({ checkReleaseLink: { payload: { refundOnDeletion: REST } } });
    const words = await wordsAt(reader, path);
    expect(words).toMatch(GIVEN);
    expect(words.search(GIVEN)).toBeLessThan(words.indexOf("Supprimer l’ancien compte"));
    api.become({ checkReleaseLink: { payload: { earlyRefundOnDeletion: 990 } } });
    expect(await wordsAt(reader, path)).toMatch(/les 9,90\s€ payés d’avance/);
    api.become({ checkReleaseLink: { payload: {} } });
    expect(await wordsAt(reader, path)).not.toContain("rendus sur la carte");
  });

  it("is told beside what was paid early, which the deletion gives back, too", async () => {
    const early = { ...told.payload, earlyRefundOnDeletion: 990 };
    api.become({ getSubscription: { payload: early } });
    const { dom } = await (await subscriber()).get(paths.accountData());
    const form = dom.querySelector("#deletion-panel form");
    expect(form?.text).toMatch(GIVEN);
    expect(form?.text).toMatch(/les 9,90\s€ payés d’avance .* vous sont rendus sur la carte/);
  });

  it("offers the deletion to who would stop it", async () => {
    const { dom } = await (await subscriber()).get(`${paths.accountSubscription()}?stop`);
    const dialog = dom.querySelector("#stop-dialog");
    expect(dialog?.text).toContain(INSTEAD);
    expect(dialog?.querySelector(`a[href="${paths.accountData()}"]`)).not.toBeNull();
  });

  it("offers the deletion to its owner who would cancel it", async () => {
    const recap = await recapOf(await subscriber());
    expect(recap?.text).toContain(INSTEAD);
    expect(recap?.querySelector(`a[href="${paths.accountData()}"]`)).not.toBeNull();
  });

  it("is told to no stranger, and by no withdrawal", async () => {
    expect((await recapOf(visitor()))?.text).not.toContain(INSTEAD);
    expect((await recapOf(await subscriber(), paths.withdrawal()))?.text).not.toContain(INSTEAD);
  });

  it("is not named where the API does not tell", async () => {
    api.become({ getSubscription: { payload: running } });
    const reader = await subscriber();
    expect(await wordsAt(reader, paths.accountData())).not.toContain("rendus sur la carte");
    expect(await wordsAt(reader, `${paths.accountSubscription()}?stop`)).not.toContain(INSTEAD);
    expect((await recapOf(reader))?.text).not.toContain(INSTEAD);
  });
});
