import { describe, expect, it } from "vitest";
import { openPages, SITE } from "../support/pages";
import { newEmail, PASSWORD, reachBank, subscribe } from "../support/people";

const { visitor } = openPages();

describe("the address of a page", () => {
  it.each([
    ["/registration", "same-origin"],
    ["/registration/payment", "same-origin"],
    ["/registration/failure", "same-origin"],
    ["/login", "same-origin"],
    ["/logout", "same-origin"],
    ["/reset-password/update?token=x", "same-origin"],
    ["/withdrawal", "same-origin"],
    ["/articles", null],
  ])("%s sends its path to other sites: %s", async (path, policy) => {
    expect((await visitor().get(path)).headers.get("referrer-policy")).toBe(policy);
  });
});

describe("an address with a final slash", () => {
  it.each([
    ["/articles/?tags=lune", "/articles?tags=lune"],
    ["/registration/welcome/", "/registration/welcome"],
    ["/about///", "/about"],
    [`${SITE}//mal.example//`, "/mal.example"],
    ["/nulle-part/", "/nulle-part"],
  ])("%s leads to %s for good", async (path, plain) => {
    const answer = await visitor().send(path, {});
    expect([answer.status, answer.headers.get("location")]).toEqual([301, plain]);
  });
});

describe("pages for coaches", () => {
  it("explain to a subscriber why they are closed", async () => {
    const reader = visitor();
    await subscribe(reader);
    const told = await reader.follow(await reader.get("/desk"));
    expect(told.path).toBe("/login?returnTo=%2Fdesk&team=1");
    expect(told.dom.querySelector("h1")?.text).toBe("Cette page est réservée à l’équipe");
    const links = told.dom.querySelectorAll("main a").map((link) => link.getAttribute("href"));
    expect(links).toEqual(["/", "/account", "/logout"]);
  });
});

describe("pages for subscribers", () => {
  it.each([
    ["the login page", "/login", "Votre compte est déjà ouvert"],
    ["a closed page", "/login?returnTo=%2Faccount", "Cette page est réservée aux abonnés"],
  ])("are told as closed only where one was asked for: %s", async (_, path, title) => {
    const reader = visitor();
    await reachBank(reader);
    expect((await reader.get(path)).dom.querySelector("h1")?.text).toBe(title);
  });

  it("send a visitor to sign in and back", async () => {
    const email = newEmail();
    await subscribe(visitor(), email);
    const reader = visitor();
    const refused = await reader.get("/account?vue=1");
    expect(refused.headers.get("location")).toBe("/login?returnTo=%2Faccount%3Fvue%3D1");
    const answer = await reader.post(refused.headers.get("location") ?? "", {
      email,
      password: PASSWORD,
    });
    expect(answer.headers.get("location")).toBe("/account?vue=1");
  });

  it("refuse wrong credentials with one sentence", async () => {
    const answer = await visitor().post("/login", { email: newEmail(), password: "faux-mot" });
    expect(answer.status).toBe(400);
    expect(answer.dom.querySelector("[role=alert]")?.text).toContain(
      "Nom d’utilisateur et/ou mot de passe incorrects",
    );
    expect(answer.html).not.toContain("faux-mot");
  });

  it.each(["https://mal.example", "//mal.example", "/\\mal.example", "/login", "/registration"])(
    "lead from sign-in to the account, not to %s",
    async (wanted) => {
      const email = newEmail();
      await subscribe(visitor(), email);
      const path = `/login?returnTo=${encodeURIComponent(wanted)}`;
      const answer = await visitor().post(path, { email, password: PASSWORD });
      expect(answer.headers.get("location")).toBe("/account");
    },
  );

  it("show e-mail, name and subscription on the account", async () => {
    const email = newEmail();
    const reader = visitor();
    await subscribe(reader, email);
    const saved = await reader.post("/account", { name: "Zoé", intent: "name" });
    expect(saved.status).toBe(303);
    const { dom } = await reader.follow(saved);
    expect(dom.querySelector("#profile")?.text).toContain(email);
    expect(dom.querySelector("#profile dl")?.text).toContain("Zoé");
    expect(dom.querySelector("#subscription")?.text).toMatch(/9,90\s€ le \d/);
    expect(dom.querySelector("#subscription")?.text).toContain("CAP CELESTE PARIS");
  });

  it("refuse a coaching name with an emoji", async () => {
    const reader = visitor();
    await subscribe(reader);
    const answer = await reader.post("/account", { name: "Zoé 🌙", intent: "name" });
    expect(answer.status).toBe(400);
    expect(answer.dom.querySelectorAll(".field__error")).toHaveLength(1);
    expect(answer.dom.querySelector("[name=name]")?.getAttribute("value")).toBe("Zoé 🌙");
  });

  it("close after a confirmed sign-out", async () => {
    const reader = visitor();
    await subscribe(reader);
    expect((await reader.get("/logout")).dom.querySelector("form[method=post]")).not.toBeNull();
    expect((await reader.get("/account")).status).toBe(200);
    const home = await reader.follow(await reader.post("/logout", {}));
    expect(home.html).toContain("Votre session est fermée");
    expect((await reader.get("/account")).status).toBe(302);
  });
});

describe("a whole visit", () => {
  it("sets one cookie, from the first page to sign-out", async () => {
    const reader = visitor();
    await reader.get("/");
    const email = newEmail();
    await subscribe(reader, email);
    for (const path of [
      "/article/lire-son-theme-natal",
      "/coaching",
      "/account",
      "/contact",
      "/privacy",
    ]) {
      await reader.get(path);
    }
    await reader.follow(await reader.post("/logout", {}));
    const signedIn = await reader.post("/login", { email, password: PASSWORD });
    expect(signedIn.status).toBe(303);
    await reader.follow(signedIn);
    const names = reader.cookie().split("; ");
    expect(names.map((pair) => pair.split("=")[0])).toEqual(["cap_session"]);
  });
});
