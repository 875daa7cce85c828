import { afterAll, expect, it } from "vitest";
import { FakeClock } from "../../server/platform/ports/clock";
import { paths } from "~/paths";
import { openLoopback } from "../app/loopback";
import { DAY_MS, ledgerOf, newestMail, passTo, subscriber } from "../platform/life";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { hiddenFields, openPages, type PageAnswer, type Visitor } from "../support/pages";

let platform: TestPlatform;
/** Whether the API knows what undoing a notice would do. */
let hasPreview = true;

const api = await openLoopback(async (request) => {
  const isPreview = new URL(request.url).pathname.endsWith("/undo/preview");
  if (isPreview && !hasPreview) return Response.json({ message: "Non" }, { status: 404 });
  return platform.fetch(request);
});
afterAll(() => api.close());

const { visitor } = openPages({ API_URL: `${api.origin}/api` });

onEachDatabase("the page that undoes a notice", (open) => {
  /** A stranger's notice in the trial of a week, whose link is used so many days later. */
  async function noticed(kind: "cancellations" | "withdrawals", { after }: { after: number }) {
    hasPreview = true;
    platform = await open({ clock: new FakeClock() });
    const person = await subscriber(platform);
    const start = platform.clock.now().getTime();
    const dayAt = (days: number) => new Date(start + days * DAY_MS).toISOString();
    await passTo(platform, dayAt(kind === "cancellations" ? 6.9 : 2));
    const body = { name: "Zoé Kowalska", email: person.email };
    await platform.call(`POST /${kind}`, { body });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, person.email);
    const token = /\?token=(\S+)/.exec(text)?.[1] ?? "";
    await passTo(platform, dayAt(after));
    const isCancelled = kind === "cancellations";
    const path = isCancelled ? paths.undoCancellation(token) : paths.confirmWithdrawal(token);
    return { person, path };
  }

  const mainOf = ({ dom }: PageAnswer) => dom.querySelector("main")?.text ?? "";

  const press = async (reader: Visitor, path: string, fields: Record<string, string>) => {
    const answer = await reader.post(path, { ...fields, intent: "undo" });
    await platform.runDueJobs();
    return answer;
  };

  const charges = async (email: string) => (await ledgerOf(platform, email)).slice(1);

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s names the debit of today before the press",
    async (kind) => {
      const { person, path } = await noticed(kind, { after: 8 });
      const reader = visitor();
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(
        /9,90\s€ seront débités aujourd’hui de votre carte, puis 9,90\s€ le 28\sdéc\.\s2026/,
      );
      expect(mainOf(page)).toMatch(/annuler? .*et payer 9,90\s€/i);
      expect(await charges(person.email)).toEqual([]);
      const done = await reader.follow(await press(reader, path, hiddenFields(page)));
      expect(done.html).toContain("le montant affiché est débité aujourd’hui");
      expect(await charges(person.email)).toEqual(["2026-11-28T10:00:00.000Z charge 990 success"]);
    },
  );

  it.each(["cancellations", "withdrawals"] as const)(
    "of %s that was opened before is shown anew",
    async (kind) => {
      const { person, path } = await noticed(kind, { after: 6.95 });
      const reader = visitor();
      const page = await reader.get(path);
      expect(mainOf(page)).toMatch(/9,90\s€ seront débités de votre carte le 27\snov\.\s2026/);
      await passTo(platform, "2026-11-28T10:00:00.000Z");
      const again = await press(reader, path, hiddenFields(page));
      expect(again.status).toBe(400);
      expect(again.html).toContain("L’offre n’est plus celle que cette page montrait");
      expect(mainOf(again)).toContain("seront débités aujourd’hui");
      expect(await charges(person.email)).toEqual([]);
      expect((await press(reader, path, hiddenFields(again))).status).toBe(303);
      expect(await charges(person.email)).toHaveLength(1);
    },
  );

  it("carries no debit to a withdrawal that is confirmed", async () => {
    const { person, path } = await noticed("withdrawals", { after: 8 });
    const reader = visitor();
    const fields = hiddenFields(await reader.get(path));
    const done = await reader.follow(await reader.post(path, { ...fields, intent: "confirm" }));
    expect(done.html).toContain("Votre rétractation est confirmée");
    await platform.runDueJobs();
    expect((await charges(person.email)).join()).not.toContain("charge");
  });

  it("says what it can where the API has no preview", async () => {
    const { path } = await noticed("cancellations", { after: 6.95 });
    hasPreview = false;
    const reader = visitor();
    const page = await reader.get(path);
    expect(mainOf(page)).toContain("à leur échéance");
    expect(mainOf(page)).not.toMatch(/\d\s€/);
    const done = await reader.follow(await press(reader, path, hiddenFields(page)));
    expect(done.html).toContain("Votre abonnement continue comme avant");
  });
});
