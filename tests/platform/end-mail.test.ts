import { expect, it } from "vitest";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readMail } from "../support/mail-parts";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { signIn, type Person } from "./funnel";
import { passTo, subscriber } from "./life";

const DAY = /Suppression du profil\s: 28\snov\.\s2026/;

async function endMailOf({ place }: TestPlatform, { email }: Person) {
  const folder = join(place.dataDir, "outbox");
  const mails = readdirSync(folder).map((file) => readMail(readFileSync(join(folder, file))));
  const ended = mails.filter(
    ({ headers }) =>
      headers.get("to")?.includes(email) &&
      headers.get("subject") === "Votre abonnement a pris fin",
  );
  expect(ended).toHaveLength(1);
  return ended[0]?.text ?? "";
}

onEachDatabase("the mail of the end", (open) => {
  const named = ({ email }: Person) => ({ name: "Zoé Kowalska", email });

  it("names the day of deletion where nothing is open", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    expect(await endMailOf(platform, person)).toMatch(DAY);
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect((await signIn(platform, person.email)).status).toBe(401);
  });

  it("names the receipt of the stop, and until when one may withdraw without an account", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await platform.call("POST /subscriptions/unsubscribe", { token: person.token, body: {} });
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    const text = await endMailOf(platform, person);
    expect(text).toMatch(/Résiliation reçue le\s: 20\snov\.\s2026\sà\s11:00/);
    expect(text).toMatch(/renoncer au contrat, jusqu’au 4\sdéc\.\s2026 inclus, sans compte/);
  });

  it("calls a withdrawal that stopped the contract by its name", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    await platform.call("POST /withdrawals", { body: named(person) });
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    const text = await endMailOf(platform, person);
    expect(text).toMatch(/Rétractation reçue le\s: 25\snov\.\s2026\sà\s11:00/);
    expect(text).not.toContain("Résiliation reçue");
  });

  it("names none while a stranger's cancellation can be undone", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    await platform.call("POST /cancellations", { body: named(person) });
    await passTo(platform, "2026-11-30T10:00:00.000Z");
    const text = await endMailOf(platform, person);
    expect(text).not.toContain("Suppression du profil");
    expect(text).toContain("gardé tant que la résiliation peut être annulée");
    expect((await signIn(platform, person.email)).status).toBe(200);
  });

  it("names the day of deletion where the owner stopped after a stranger's cancellation", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { token } = person;
    await passTo(platform, "2026-11-24T10:00:00.000Z");
    await platform.call("POST /cancellations", { body: named(person) });
    await passTo(platform, "2026-11-24T11:00:00.000Z");
    const read = async () => (await platform.call("GET /subscriptions", { token })).body.payload;
    expect(await read()).toMatchObject({ hasUnsignedNotice: true, cancellation: {} });
    await platform.call("POST /subscriptions/unsubscribe", { token, body: {} });
    const taken = await read();
    expect(taken).not.toHaveProperty("hasUnsignedNotice");
    expect(taken).not.toHaveProperty("cancellation");
    await passTo(platform, "2026-11-27T10:00:00.000Z");
    const text = await endMailOf(platform, person);
    expect(text).toMatch(DAY);
    expect(text).not.toContain("peut être annulée");
    await passTo(platform, "2026-11-28T10:00:00.000Z");
    expect((await signIn(platform, person.email)).status).toBe(401);
  });

  it("tells of the refund while a withdrawal is open", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    await passTo(platform, "2026-11-25T10:00:00.000Z");
    await platform.call("POST /withdrawals", { body: named(person) });
    await passTo(platform, "2026-11-30T10:00:00.000Z");
    const text = await endMailOf(platform, person);
    expect(text).not.toContain("Suppression du profil");
    expect(text).toContain("Une rétractation de ce contrat est en cours");
    expect(text).not.toMatch(/abonner de nouveau/i);
  });

  it("tells of the refund after a withdrawal", async () => {
    const platform = await open();
    const person = await subscriber(platform);
    const { token } = person;
    await platform.call("POST /withdrawals", { token, body: named(person) });
    await platform.runDueJobs();
    const text = await endMailOf(platform, person);
    expect(text).not.toContain("Suppression du profil");
    expect(text).toContain("Vous avez renoncé à votre contrat");
    expect(text).toContain("gardé le temps que le remboursement arrive");
    expect(text).not.toMatch(/abonner de nouveau/i);
  });
});
