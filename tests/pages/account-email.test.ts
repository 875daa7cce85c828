import { describe, expect, it } from "vitest";
import { linkIn, waitForMail } from "../support/mailed";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";

const { visitor, dataDir } = openPages();

const PATH = "/account/email";
const CONFIRM = "/account/email/confirm";
const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

const ask = (reader: Visitor, newEmail: string, currentPassword = PASSWORD) =>
  reader.post(PATH, { newEmail, currentPassword });

/** Somebody with an account and the link to another e-mail. */
async function withLink() {
  const [reader, from, to] = [visitor(), newEmail(), newEmail("neuve")];
  await reachBank(reader, from);
  await ask(reader, to);
  const link = linkIn(await waitForMail({ dataDir }, to, "Confirmez"), CONFIRM);
  return { reader, from, to, link };
}

const signIn = async (email: string, password = PASSWORD) =>
  (await visitor().post("/login", { email, password })).status;

describe("the page that changes the e-mail", () => {
  it("is reached from the account", async () => {
    const reader = visitor();
    await subscribe(reader);
    const { dom } = await reader.get("/account");
    expect(dom.querySelector(`#profile a[href="${PATH}"]`)).not.toBeNull();
  });

  it("is open to an account that paid nothing", async () => {
    const [reader, email] = [visitor(), newEmail()];
    await reachBank(reader, email);
    const page = await reader.get(PATH);
    expect([page.status, mainOf(page).includes(email)]).toEqual([200, true]);
    expect((await visitor().get(PATH)).headers.get("location")).toMatch(/^\/login\?/);
  });

  it("answers the same for an e-mail with and without an account", async () => {
    const [taken, free] = [newEmail(), newEmail("libre")];
    await reachBank(visitor(), taken);
    const answers = [];
    for (const email of [taken, free]) {
      const reader = visitor();
      const own = newEmail();
      await reachBank(reader, own);
      const sent = await ask(reader, email);
      expect(sent.headers.get("location")).toBe(`${PATH}?sent=1`);
      const told = mainOf(await reader.follow(sent));
      expect(told).toContain(`Adresse indiquée\u00a0: ${email}`);
      answers.push(told.replace(email, "").replace(own, ""));
    }
    expect(answers[0]).toBe(answers[1]);
  });

  it.each([
    ["no e-mail", { newEmail: "nope" }, "newEmail", "nom@exemple.fr"],
    ["a wrong password", { currentPassword: "au hasard" }, "currentPassword", "actuel"],
    ["no password", { currentPassword: "" }, "currentPassword", "Indiquez"],
  ])("shows %s on its field", async (_, wrong, field, words) => {
    const reader = visitor();
    await reachBank(reader, newEmail());
    const right = { newEmail: "autre@exemple.fr", currentPassword: PASSWORD };
    const { status, dom, body } = await reader.post(PATH, { ...right, ...wrong });
    expect(status).toBe(400);
    const faults = dom.querySelectorAll(".field__error");
    expect(faults.map(({ id }) => id)).toEqual([`email-${field}-error`]);
    expect(faults[0]?.text).toContain(words);
    expect(body).not.toContain("au hasard");
  });

  it("says of the account's own e-mail that it is the account's", async () => {
    const [reader, email] = [visitor(), newEmail()];
    await reachBank(reader, email);
    const { status, dom } = await ask(reader, email);
    expect([status, dom.querySelector("#email-newEmail-error")?.text]).toEqual([
      400,
      expect.stringContaining("déjà l’adresse de votre compte"),
    ]);
  });
});

describe("the mailed link to another e-mail", () => {
  it("changes nothing when it is opened, and the e-mail when it is confirmed", async () => {
    const { reader, from, to, link } = await withLink();
    for (let time = 0; time < 2; time++) {
      const page = await reader.get(link);
      expect(page.dom.querySelector(".heading__lead")?.text).toContain(`de ${from} à ${to}`);
    }
    expect(await signIn(to)).not.toBe(303);
    const page = await reader.get(link);
    const done = await reader.follow(await reader.post(link, hiddenFields(page)));
    expect(done.path).toBe("/login");
    expect(mainOf(done)).toContain("Votre adresse e\u2011mail est changée");
    expect([await signIn(to), (await reader.get(PATH)).status]).toEqual([303, 302]);
    expect(await signIn(from)).not.toBe(303);
  });

  it("leads through the sign-in", async () => {
    const { from, link } = await withLink();
    const reader = visitor();
    const login = await reader.follow(await reader.get(link));
    expect(login.path.startsWith("/login")).toBe(true);
    const email = { email: from, password: PASSWORD };
    const page = await reader.follow(await reader.post(login.path, email));
    expect(page.path).toBe(link);
    expect(mainOf(page)).toContain("Confirmez votre nouvelle adresse");
  });

  it("says that it is dead when it is opened, and to who sends it twice", async () => {
    const { reader, from, to, link } = await withLink();
    const fields = hiddenFields(await reader.get(link));
    await reader.post(link, fields);
    await reader.post("/login", { email: to, password: PASSWORD });
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    for (const dead of [
      await reader.get(link),
      await reader.get(CONFIRM),
      await reader.follow(await reader.post(link, { token })),
    ]) {
      expect(mainOf(dead)).toContain("Ce lien ne sert plus");
      expect(mainOf(dead)).toContain(`L’adresse de ce compte est ${to}`);
      expect(dead.dom.querySelector("main [name=token]")).toBeNull();
      expect(dead.dom.querySelector(`main a[href="${PATH}"]`)).not.toBeNull();
    }
    expect(from).not.toBe(to);
  });

  it("does nothing in the session of another account", async () => {
    const { link, to } = await withLink();
    const other = visitor();
    await reachBank(other, newEmail());
    expect(mainOf(await other.get(link))).toContain("Ce lien ne sert plus");
    expect(mainOf(await other.get(link))).not.toContain(to);
  });
});
