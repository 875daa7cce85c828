import { describe, expect, it } from "vitest";
import { linkIn, waitForMail } from "../support/mailed";
import { openPages, type PageAnswer } from "../support/pages";
import { newEmail, PASSWORD, reachBank } from "../support/people";

const { visitor, dataDir } = openPages();

const RESET = "/reset-password/update";
const NEW = "un tout nouveau mot de passe";
const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

it.each(["/reset-password", "/contact/link"])(
  "the lead of %s gives way to what was sent",
  async (path) => {
    const leadOf = async (page: string) =>
      (await visitor().get(page)).dom.querySelector(".heading__lead");
    expect(await leadOf(path)).not.toBeNull();
    expect(await leadOf(`${path}?sent=1`)).toBeNull();
  },
);

describe("the request for a new password", () => {
  it("gets the same answer with and without an account", async () => {
    const email = newEmail();
    await reachBank(visitor(), email);
    const answers = await Promise.all(
      [email, newEmail("personne")].map(async (address) => {
        const reader = visitor();
        const sent = await reader.post("/reset-password", { email: address });
        expect(sent.headers.get("location")).toBe("/reset-password?sent=1");
        const told = mainOf(await reader.follow(sent));
        expect(told).toContain(`Adresse indiquée\u00a0: ${address}`);
        expect(mainOf(await reader.get("/reset-password?sent=1"))).not.toContain(address);
        return told.replace(address, "");
      }),
    );
    expect(answers[0]).toContain("Si un compte existe à cette adresse");
    expect(answers[1]).toBe(answers[0]);
  });

  it("shows a faulty address at its field", async () => {
    const { status, dom } = await visitor().post("/reset-password", { email: "nope" });
    expect(status).toBe(400);
    expect(dom.querySelector("#reset-email-error")?.text).toContain("nom@exemple.fr");
  });

  it("is reached from the sign-in page", async () => {
    const { dom } = await visitor().get("/login");
    expect(dom.querySelector('main a[href="/reset-password"]')).not.toBeNull();
  });
});

describe("a new password by a mailed link", () => {
  const update = "/reset-password/update?token=abc";

  it("is typed twice, the same", async () => {
    const fields = { token: "abc", password: NEW, passwordConfirmation: PASSWORD };
    const { status, dom, body } = await visitor().post(update, fields);
    expect(status).toBe(400);
    expect(dom.querySelectorAll(".field__error").map(({ id }) => id)).toEqual([
      "reset-passwordConfirmation-error",
    ]);
    expect(body).not.toContain(NEW);
  });

  it("is refused with an expired link", async () => {
    const fields = { token: "abc", password: NEW, passwordConfirmation: NEW };
    const { status, dom } = await visitor().post(update, fields);
    expect(status).toBe(400);
    expect(dom.querySelector("main")?.text).toContain("Ce lien ne sert plus");
    expect(dom.querySelector('main a[href="/reset-password"]')).not.toBeNull();
  });

  it("shows no form for a link that is dead when opened", async () => {
    const reader = visitor();
    const email = newEmail();
    await reachBank(reader, email);
    await visitor().post("/reset-password", { email });
    const link = linkIn(await waitForMail({ dataDir }, email, "mot de passe"), RESET);
    const formOf = ({ dom }: PageAnswer) => dom.querySelector("main [name=password]");
    for (let time = 0; time < 2; time++) expect(formOf(await reader.get(link))).not.toBeNull();
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    await reader.post(link, { token, password: NEW, passwordConfirmation: NEW });
    for (const dead of [link, update]) {
      const page = await visitor().get(dead);
      expect(mainOf(page)).toContain("Ce lien ne sert plus");
      expect(formOf(page)).toBeNull();
      expect(page.dom.querySelector('main a[href="/reset-password"]')).not.toBeNull();
    }
  });

  it("is not denied to who sends it twice", async () => {
    const email = newEmail();
    const reader = visitor();
    await reachBank(reader, email);
    await visitor().post("/reset-password", { email });
    const link = linkIn(await waitForMail({ dataDir }, email, "mot de passe"), RESET);
    const token = new URL(link, "http://x").searchParams.get("token") ?? "";
    const fields = { token, password: NEW, passwordConfirmation: NEW };
    expect((await visitor().post(RESET, fields)).status).toBe(303);
    const again = mainOf(await visitor().post(RESET, fields));
    expect(again).toContain("S’il vient de servir, le mot de passe choisi alors est enregistré");
    expect(again).not.toContain("n’a pas changé");
  });

  it("needs a link, or the page says so", async () => {
    expect(mainOf(await visitor().get("/reset-password/update"))).toContain("Ce lien ne sert plus");
  });
});
