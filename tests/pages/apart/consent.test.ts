import { afterAll, afterEach, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, type PageAnswer, type Visitor } from "../../support/pages";
import { signInCoach, subscribe } from "../../support/people";
import { openLosingApi } from "../losing-api";
import { faultsOf, mainOf } from "../threads";

const api = await openLosingApi();
afterAll(() => api.close());
afterEach(() => api.answerRight());

const { visitor } = openPages({ API_URL: api.url });

const NEW = paths.coachingNewDiscussion();
const DATA = paths.accountData();
const CONSENT = /sensitive-consent$/;
const written = { subject: "Mon thème", message: "Que dit mon ascendant ?", intent: "send" };

const boxIn = ({ dom }: PageAnswer, name: string) => dom.querySelector(`main [name=${name}]`);
const isTicked = (page: PageAnswer, name: string) =>
  boxIn(page, name)?.hasAttribute("checked") ?? false;

/** Who holds a discussion with their consent. */
async function discusser(): Promise<{ member: Visitor; thread: string }> {
  const member = visitor();
  await subscribe(member);
  const sent = await member.post(NEW, { ...written, consent: "on" });
  return { member, thread: sent.headers.get("location") ?? "" };
}

const newCoach = () => signInCoach(visitor(), api.platform.database);

/** As an earlier version left it: reopened by a coach with no consent standing. */
const reopen = (thread: string) =>
  api.platform.database
    .updateTable("ticket")
    .set({ status: "pending" })
    .where("uid", "=", thread.split("/").at(-1) ?? "")
    .execute();

describe("a discussion whose consent was taken back", () => {
  it("is closed to coaches, in plain words", async () => {
    const [{ member, thread }, coach] = [await discusser(), await newCoach()];
    const desk = paths.deskTicket(thread.split("/").at(-1) ?? "");
    const open = await coach.get(desk);
    expect(mainOf(open)).toContain(written.message);
    const version = boxIn(open, "version")?.getAttribute("value") ?? "";
    const told = await member.follow(await member.post(DATA, { intent: "take-back" }));
    expect(told.html).toContain("aucun coach ne peut plus les lire");
    const invited = await newCoach();
    for (const one of [coach, invited]) {
      const page = await one.get(desk);
      expect([page.status, mainOf(page)]).toEqual([
        200,
        expect.stringMatching(
          /a retiré son accord le .* cette discussion ne vous est plus ouverte/,
        ),
      ]);
      // Hidden: a text that is being written when the page is read again stays in it.
      expect(page.dom.querySelectorAll("main form:not([hidden]) [name=message]")).toEqual([]);
      expect(page.body).not.toContain(written.subject);
      expect(page.body).not.toContain("mon ascendant");
      for (const filter of ["", "?type=coaching&status=closed", "?q=ascendant"]) {
        expect((await one.get(`/desk${filter}`)).body).not.toContain(desk);
      }
    }
    const answers: Record<string, string>[] = [{ after: "waiting" }, {}, { version }];
    for (const fields of answers) {
      const refused = await coach.post(desk, { message: "Dites-m’en plus", ...fields });
      expect(refused.status).toBe(400);
      expect(mainOf(refused)).toContain("Cette personne a retiré son accord");
      expect(mainOf(refused)).not.toContain("enregistrez de nouveau");
      expect(refused.dom.querySelector("main [name=message]")?.text).toContain("Dites-m’en plus");
    }
    const changed = await coach.post(desk, { assignee: "", status: "waiting", version });
    expect([changed.status, mainOf(changed)]).toEqual([
      400,
      expect.stringContaining("Cette personne a retiré son accord"),
    ]);
    const own = mainOf(await member.get(thread));
    expect(own).toContain(
      "on ne peut plus répondre à cet échange, et personne d’autre que vous ne peut le lire",
    );
    expect(own).toContain("mon ascendant");
  });

  it("asks its person again before the next message", async () => {
    const { member, thread } = await discusser();
    expect(boxIn(await member.get(thread), "consent")).toBeNull();
    await member.post(DATA, { intent: "take-back" });
    await reopen(thread);
    expect(boxIn(await member.get(thread), "consent")).not.toBeNull();
    const refused = await member.post(thread, { message: "Encore ma santé" });
    expect([refused.status, faultsOf(refused)]).toEqual([400, ["consent"]]);
    expect(mainOf(refused)).toContain("Encore ma santé");
    const sent = await member.post(thread, { message: "Encore ma santé", consent: "on" });
    expect(sent.status).toBe(303);
    expect(boxIn(await member.get(thread), "consent")).toBeNull();
  });
});

describe("the box for the consent", () => {
  it.each([403, 500, 503])("may stay empty where reading it gives %i", async (status) => {
    const { member } = await discusser();
    api.refuse("GET", CONSENT, status);
    const page = await member.get(NEW);
    expect(mainOf(page)).toContain("Nous n’avons pas pu lire si vous avez déjà donné");
    expect(boxIn(page, "consent")?.hasAttribute("required")).toBe(false);
    api.answerRight();
    const sent = await member.post(NEW, written);
    expect(sent.status).toBe(303);
  });

  it.each([403, 500, 503])("is shown where reading it gives %i", async (status) => {
    const { member } = await discusser();
    expect(boxIn(await member.get(NEW), "consent")).toBeNull();
    api.refuse("GET", CONSENT, status);
    const page = await member.get(NEW);
    expect([page.status, boxIn(page, "consent") !== null]).toEqual([200, true]);
  });

  it("is asked for, and bars nothing, where the API lacks the calls", async () => {
    const member = visitor();
    await subscribe(member);
    for (const status of [404, 405, 501]) {
      api.refuse("GET", CONSENT, status);
      const page = await member.get(NEW);
      expect(boxIn(page, "consent")?.hasAttribute("required"), `${status}`).toBe(true);
      expect(mainOf(page)).not.toContain("pas pu lire");
      const refused = await member.post(NEW, written);
      expect([refused.status, faultsOf(refused)]).toEqual([400, ["consent"]]);
    }
    api.refuse("PUT", CONSENT, 405);
    expect((await member.post(NEW, { ...written, consent: "on" })).status).toBe(303);
  });

  it.each([
    [403, "Votre compte ne permet pas"],
    [409, "ont changé entre-temps"],
  ])("is told as refused where giving it gives %i", async (status, words) => {
    const member = visitor();
    await subscribe(member);
    api.refuse("PUT", CONSENT, status);
    const refused = await member.post(NEW, { ...written, consent: "on" });
    expect([refused.status, mainOf(refused)]).toEqual([status, expect.stringContaining(words)]);
    expect(mainOf(refused)).not.toContain("dans un instant");
    expect(mainOf(refused)).toContain(written.message);
  });
});

describe("a consent that cannot be taken back at once", () => {
  it.each([
    [403, "Votre compte ne permet pas"],
    [404, "Aucun accord de ce compte"],
    [409, "ont changé entre-temps"],
    [503, "peut-être déjà pris en compte"],
  ])("keeps the wish to erase after %i", async (status, words) => {
    const { member, thread } = await discusser();
    api.refuse("DELETE", CONSENT, status);
    const refused = await member.post(DATA, { intent: "take-back", erase: "on" });
    expect([refused.status, mainOf(refused)]).toEqual([status, expect.stringContaining(words)]);
    expect(isTicked(refused, "erase")).toBe(true);
    expect(isTicked(refused, "confirm")).toBe(false);
    expect((await member.get(thread)).status).toBe(200);
  });

  it("keeps its form where nothing can be read either", async () => {
    const { member } = await discusser();
    api.refuse("GET", CONSENT, 503);
    const refused = await member.post(DATA, { intent: "erase", erase: "" });
    expect(boxIn(refused, "erase")).not.toBeNull();
  });

  it.each([
    [{}, "vos échanges sont clos"],
    [{ erase: "on" }, "vos échanges sont effacés"],
  ])("is told as done where only the answer was lost: %o", async (fields, words) => {
    const { member } = await discusser();
    api.loseAnswer("DELETE", CONSENT);
    const page = await member.follow(await member.post(DATA, { intent: "take-back", ...fields }));
    expect([page.status, page.html]).toEqual([200, expect.stringContaining(words)]);
  });
});

describe("discussions kept when the consent was taken back", () => {
  it("are erased later on the same page", async () => {
    const { member, thread } = await discusser();
    await member.post(DATA, { intent: "take-back" });
    const page = await member.get(DATA);
    expect(page.dom.querySelector("#consent-panel")).toBeNull();
    expect(page.dom.querySelector("#discussions-panel")).not.toBeNull();
    const unticked = await member.post(DATA, { intent: "erase" });
    expect([unticked.status, faultsOf(unticked)]).toEqual([400, ["erase"]]);
    const erased = await member.follow(await member.post(DATA, { intent: "erase", erase: "on" }));
    expect(erased.html).toContain("Vos échanges sont effacés.");
    expect(erased.dom.querySelector("#discussions-panel")).toBeNull();
    expect((await member.get(thread)).status).toBe(404);
  });
});
