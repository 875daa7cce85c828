import { afterEach, expect, it, vi } from "vitest";
import { main as coach } from "../../server/cli/coach";
import { onEachDatabase } from "../support/platform";
import { runCommand } from "./command";
import { change, lookAt, newCoach } from "./desk";
import { newPerson, signIn } from "./funnel";
import { newestMail, placesOf, subscriber, subscriptionOf } from "./life";
import { newContact } from "./threads";

afterEach(() => vi.unstubAllEnvs());

const secretIn = (text: string) =>
  /https:\/\/cap\.example\/reset-password\/update\?token=(\S+)/.exec(text)?.[1] ?? "";

const run = (...argv: string[]) => runCommand(coach, argv);

onEachDatabase("the command coach", (open) => {
  const openHere = async () => {
    const platform = await open();
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    vi.stubEnv("SITE_URL", "https://cap.example");
    // The command has the real time: what it writes is due then.
    platform.clock.advance(Date.now() + 60_000 - platform.clock.now().getTime());
    return platform;
  };

  it("invites a coach without an account", async () => {
    const platform = await openHere();
    expect(await run("add", "solene@exemple.fr", "--name", "Solène")).toMatchObject({
      code: 0,
      error: [],
    });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, "solene@exemple.fr");
    const secret = secretIn(text);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(await placesOf(platform, secret)).toEqual([]);
    expect((await signIn(platform, "solene@exemple.fr")).status).toBe(401);
    expect((await run("list")).out).toEqual(["solene@exemple.fr\tSolène"]);
  });

  it("mails of a first password that it was chosen, not changed", async () => {
    const platform = await openHere();
    await run("add", "alcor@exemple.fr");
    await platform.runDueJobs();
    const invitation = await newestMail(platform, "alcor@exemple.fr");
    const body = { token: secretIn(invitation.text), password: "un-autre-ciel-calme" };
    expect((await platform.call("POST /reset-password/update", { body })).status).toBe(204);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, "alcor@exemple.fr");
    expect(text).toContain("Un mot de passe vient d’être choisi");
    expect(text).not.toMatch(/chang|déconnect/);
  });

  it("opens the desk to the owner of the e-mail alone", async () => {
    const platform = await openHere();
    const stranger = await newPerson(platform, "solene@exemple.fr");
    const { out } = await run("add", " Solene@exemple.fr ");
    expect(out.join()).toContain("the account existed: its password is removed");
    const refused = await platform.call("GET /desk/coaches", { token: stranger.token });
    expect(refused.status).toBe(401);
    expect((await signIn(platform, stranger.email)).status).toBe(401);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, stranger.email);
    expect(text).toContain("avait déjà un compte");
    const body = { token: secretIn(text), password: "un-autre-ciel-calme" };
    expect((await platform.call("POST /reset-password/update", { body })).status).toBe(204);
    const { token } = await signIn(platform, stranger.email, body.password);
    const coaches = await platform.call("GET /desk/coaches", { token });
    expect(coaches.body.payload).toEqual([{ uid: stranger.uid, name: "Solene" }]);
  });

  it("changes nothing but the name of a coach", async () => {
    const platform = await openHere();
    const coach = await newCoach(platform);
    const { out } = await run("add", coach.email, "--name", "Solène A.");
    expect(out.join()).toContain("is a coach already, now as Solène A.");
    expect((await run("list")).out).toEqual([`${coach.email}\tSolène A.`]);
    const { status } = await platform.call("GET /desk/coaches", { token: coach.token });
    expect(status).toBe(200);
    expect((await signIn(platform, coach.email)).status).toBe(200);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, coach.email);
    expect(text).toContain("\nhttps://cap.example/desk\n");
    expect(text).not.toContain("token");
  });

  it("keeps the contract of a subscriber who becomes a coach", async () => {
    const platform = await openHere();
    const person = await subscriber(platform);
    const before = await subscriptionOf(platform, person);
    await run("add", person.email);
    expect(await subscriptionOf(platform, person)).toEqual(before);
  });

  it("removes the coach and unassigns their tickets", async () => {
    const platform = await openHere();
    const [solene, hugo] = [await newCoach(platform), await newCoach(platform, "Hugo")];
    const { uid } = await newContact(platform);
    await change(platform, solene, uid, { assignee: solene.uid, version: 1 });
    expect((await run("remove", solene.email)).code).toBe(0);
    expect((await lookAt(platform, solene, uid)).status).toBe(403);
    const { payload } = (await lookAt(platform, hugo, uid)).body;
    expect(payload).toMatchObject({ assignee: null, version: 3 });
    expect(await run("remove", solene.email)).toMatchObject({
      code: 1,
      error: [`${solene.email} is no coach`],
    });
  });

  it("loses a coach whose account is deleted", async () => {
    const platform = await openHere();
    const person = await newCoach(platform);
    await platform.call(`DELETE /users/${person.uid}`, { token: person.token });
    expect((await run("list")).out).toEqual([]);
  });

  it("refuses a blocked account", async () => {
    const platform = await openHere();
    const { email } = await newPerson(platform);
    await platform.database.updateTable("account").set({ status: "blocked" }).execute();
    expect((await run("add", email)).code).toBe(1);
    expect((await run("list")).out).toEqual([]);
  });

  it.each([
    [[]],
    [["add"]],
    [["add", "pas une adresse"]],
    [["add", "a@exemple.fr", "b@exemple.fr"]],
    [["add", "a@exemple.fr", "--name", " "]],
    [["remove"]],
    [["remove", "personne@exemple.fr"]],
    [["list", "tout"]],
    [["invite", "a@exemple.fr"]],
    [["--unknown"]],
  ])("refuses %j in one line", async (argv) => {
    await openHere();
    const { code, error } = await run(...argv);
    expect(code).toBe(1);
    expect(error).toHaveLength(1);
    expect(error[0]).not.toContain("\n");
  });
});

it("the command coach explains itself", async () => {
  expect(await run("--help")).toMatchObject({ code: 0, error: [] });
});
