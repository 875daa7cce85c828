import { describe, expect, it } from "vitest";
import { paths, serverPaths } from "~/paths";
import { linkIn, waitForMail } from "../support/mailed";
import { openPages, type PageAnswer } from "../support/pages";
import { newEmail, registrationFields, subscribe } from "../support/people";

const { visitor, dataDir } = openPages();

const RELEASE = serverPaths.registrationRelease();
const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

/**
 * A person who stopped the subscription, and the link that a new registration with that e-mail
 * mails.
 */
async function leaving() {
  const email = newEmail();
  const own = visitor();
  await subscribe(own, email);
  await own.post(paths.accountSubscription(), { confirm: "on" });
  const refused = await visitor().post(paths.registration(), registrationFields(email));
  const link = linkIn(await waitForMail({ dataDir }, email, "S’inscrire de nouveau"), RELEASE);
  return { email, own, refused, link, token: new URL(link, "http://x").searchParams.get("token") };
}

describe("the release of an address", () => {
  it("gets the answer of any used address", async () => {
    const { refused } = await leaving();
    const email = newEmail();
    await subscribe(visitor(), email);
    const other = await visitor().post(paths.registration(), registrationFields(email));
    const errorOf = ({ dom }: PageAnswer) => dom.querySelector("#registration-email-error")?.text;
    expect([refused.status, other.status]).toEqual([400, 400]);
    expect(errorOf(refused)).toContain("regardez vos e\u2011mails");
    expect(errorOf(refused)).toBe(errorOf(other));
  });

  it("names what is lost before anything changes", async () => {
    const { own, link } = await leaving();
    const page = await visitor().get(link);
    expect(page.status).toBe(200);
    expect(page.headers.get("referrer-policy")).toBe("same-origin");
    expect(page.headers.get("x-robots-tag")).toBe("noindex");
    expect(mainOf(page)).toContain("Ce qui est perdu");
    expect(mainOf(page)).toContain("vos reçus ne s’ouvrent plus");
    expect(mainOf(page)).toContain("quatorze jours");
    expect(mainOf(page)).toContain("plus tard tant que l’arrêt peut être annulé");
    expect((await own.get(paths.account())).status).toBe(200);
  });

  it("tells of undoing only what was declared without sign-in", async () => {
    const { link } = await leaving();
    const undo = `main a[href="${paths.accountSubscriptionUndo()}"]`;
    const page = await visitor().get(link);
    expect(page.dom.querySelector(undo)).toBeNull();
    expect(mainOf(page)).not.toContain("déclaré sans connexion");
  });

  it("tells who is signed in that a dead link did nothing, and no more", async () => {
    const member = visitor();
    await subscribe(member);
    const page = await member.follow(await member.get(`${RELEASE}?token=${"a".repeat(43)}`));
    expect(page.html).toContain("Ce lien a déjà servi ou n’est plus valable");
    expect(page.html).not.toContain("Inscrivez-vous de nouveau");
  });

  it("leads to the registration once confirmed", async () => {
    const { email, own, link, token } = await leaving();
    const answer = await own.post(link, { token: token ?? "" });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, paths.registration()]);
    const page = await own.follow(answer);
    expect(page.html).toContain("votre adresse est libre");
    expect(page.dom.querySelector("[name=password]")).not.toBeNull();
    const again = await own.post(paths.registration(), registrationFields(email));
    expect(again.status).toBe(303);
  });

  it("is not denied to who sends it twice", async () => {
    const { own, link, token } = await leaving();
    const sent = await own.post(link, { token: token ?? "" });
    expect(sent.headers.get("location")).toBe(paths.registration());
    const reader = visitor();
    const page = await reader.follow(await reader.post(link, { token: token ?? "" }));
    expect(page.html).toContain("Ce lien a déjà servi ou n’est plus valable");
    expect(page.html).not.toContain("rien n’a été supprimé");
  });

  it("leads from an expired link to the registration", async () => {
    const reader = visitor();
    const page = await reader.follow(await reader.post(RELEASE, { token: "usé" }));
    expect(page.path).toBe(paths.registration());
    expect(page.html).toContain("n’est plus valable");
  });

  it("says at the opening that a link is dead", async () => {
    for (const path of [RELEASE, serverPaths.registrationRelease("usé")]) {
      const reader = visitor();
      const opened = await reader.get(path);
      expect(opened.headers.get("location")).toBe(paths.registration());
      expect((await reader.follow(opened)).html).toContain("n’est plus valable");
    }
  });
});
