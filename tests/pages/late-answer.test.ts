import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

/**
 * A browser as a slow answer leaves it: the person signed out in another tab, and the answer brought
 * back the session as it was.
 */
async function lateBrowser(): Promise<{ email: string; late: Visitor["get"] }> {
  const [reader, email] = [visitor(), newEmail()];
  await reachBank(reader, email);
  const cookie = reader.cookie();
  await reader.post(paths.logout(), {});
  return { email, late: (path) => visitor().get(path, { cookie }) };
}

describe("a response that arrives after signing out", () => {
  it.each([
    paths.logout(),
    paths.cancelContract(),
    paths.withdrawal(),
    paths.contactNewTicket(),
    paths.contactLink(),
    paths.resetPassword(),
    paths.login(),
    `${paths.login()}?team=1`,
    paths.registration(),
    paths.registrationPayment(),
    paths.home(),
  ])("shows no e-mail at %s", async (path) => {
    const { email, late } = await lateBrowser();
    const { body } = await late(path);
    expect(body).not.toContain(email);
  });

  it("still allows signing in", async () => {
    const { late } = await lateBrowser();
    const { dom } = await late(paths.logout());
    expect(dom.querySelector(`main a[href='${paths.login()}']`)).not.toBeNull();
  });
});

describe("a signed-in person", () => {
  it("sees their e-mail at sign-out and in forms", async () => {
    const [reader, email] = [visitor(), newEmail()];
    await reachBank(reader, email);
    expect((await reader.get(paths.logout())).html).toContain(email);
    const { dom } = await reader.get(paths.cancelContract());
    expect(dom.querySelector("[name=email]")?.getAttribute("value")).toBe(email);
  });
});

describe("another person's form in the same browser", () => {
  it("deletes no account", async () => {
    const [reader, [ada, bea]] = [visitor(), [newEmail("ada"), newEmail("bea")]];
    await subscribe(visitor(), bea);
    await subscribe(reader, ada);
    const { dom } = await reader.get(paths.accountData());
    const owner = dom.querySelector("main [name=owner]")?.getAttribute("value") ?? "";
    await reader.post(paths.logout(), {});
    await reader.post(paths.login(), { email: bea, password: PASSWORD });
    const refused = await reader.post(paths.accountData(), { confirm: "on", owner });
    expect(refused.status).toBe(409);
    expect(refused.dom.querySelector("[role=alert]")?.text).toContain(bea);
    for (const email of [ada, bea]) {
      const signedIn = await visitor().post(paths.login(), { email, password: PASSWORD });
      expect(signedIn.headers.get("location")).toBe(paths.account());
    }
    const own = refused.dom.querySelector("main [name=owner]")?.getAttribute("value") ?? "";
    const knowingly = await reader.post(paths.accountData(), { confirm: "on", owner: own });
    expect(knowingly.headers.get("location")).toBe(paths.home());
  });

  it("charges nobody who signed in after it opened", async () => {
    const [reader, email] = [visitor(), newEmail()];
    await reachBank(visitor(), email);
    const page = `${paths.registrationPayment()}?utk=demo-cashback`;
    const { dom } = await reader.get(page);
    const owner = dom.querySelector("main [name=owner]")?.getAttribute("value");
    expect(owner).toBe("");
    await reader.post(paths.login(), { email, password: PASSWORD });
    const typed = { email: newEmail(), password: PASSWORD, terms: "on", firstName: "Ada" };
    const refused = await reader.post(page, { ...typed, owner: "", intent: "pay" });
    expect(refused.status).toBe(409);
    expect(refused.dom.querySelector("[role=alert]")?.text).toContain(email);
    expect(refused.dom.querySelector("[name=firstName]")?.getAttribute("value")).toBe("Ada");
    expect(refused.body).not.toContain(PASSWORD);
  });
});
