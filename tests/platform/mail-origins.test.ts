import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, expect, it, vi } from "vitest";
import { CLIENT_ADDRESS } from "../../app/contract/client-headers";
import { main as coach } from "../../server/cli/coach";
import { main as site } from "../../server/cli/site";
import { confirmOrigin, removeOrigin } from "../../server/platform/mail/origins";
import { checkOrigin, findSite } from "../../server/platform/mail/site";
import { composeMail } from "../../server/platform/mail/compose";
import { LETTERS } from "../support/letters";
import { readMail } from "../support/mail-parts";
import { onEachDatabase, ORIGIN, type OpenPlatform, type TestPlatform } from "../support/platform";
import { runCommand } from "./command";
import { answer, newCoach } from "./desk";
import { newPerson } from "./funnel";
import { newestMail, subscriber, subscriptionOf } from "./life";
import { siteAt } from "../support/site-names";

afterEach(() => vi.unstubAllEnvs());

const EVIL = "https://evil.example";
/** The mediator's own site, in tests/support/identity.yaml. */
const MEDIATOR = "https://mediation.example";
const HOUR_MS = 3_600_000;

/** What is said in the log. */
type Said = { message: string; fields: object };

async function openWithoutAddress(open: OpenPlatform, ...confirmed: string[]) {
  const said: Said[] = [];
  const say = (fields: object, message: string) => void said.push({ message, fields });
  const log = { info() {}, warn: say, error: say };
  const platform = await open({ siteUrl: undefined, log });
  for (const origin of confirmed) await confirm(platform, origin);
  return { platform, said };
}

async function confirm(platform: TestPlatform, origin: string) {
  platform.clock.advance(1);
  await confirmOrigin(platform.database, origin, platform.clock.now());
}

/** One call, by whatever address of the site. */
async function callAt(
  platform: TestPlatform,
  origin: string,
  [line, body]: Mailing,
  { token, clientAddress }: { token?: string; clientAddress?: string } = {},
) {
  const [method = "", path = ""] = line.split(" ");
  const headers = new Headers({ "content-type": "application/json" });
  if (token) headers.set("authorization", `Bearer ${token}`);
  if (clientAddress) headers.set(CLIENT_ADDRESS, clientAddress);
  const request = { method, headers, body: JSON.stringify(body) };
  const response = await platform.fetch(new Request(`${origin}/api${path}`, request));
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

type Mailing = [line: string, body: object];

/** Every call that anybody can make and that mails a secret to an address. */
const mailings = (email: string): Mailing[] => [
  ["POST /reset-password/request", { identifier: email }],
  ["POST /support/contact/auth-token/refresh", { email }],
  ["POST /support/contact/tickets", { email, name: "Ada", title: "Ma carte", message: "Bonjour" }],
  ["POST /cancellations", { name: "Ada", email }],
  ["POST /withdrawals", { name: "Ada", email }],
];

const reset = (email: string): Mailing => ["POST /reset-password/request", { identifier: email }];

const mails = ({ database }: TestPlatform) =>
  database.selectFrom("mail").select(["recipient", "text", "html"]).execute();

/** Plain texts of what was sent and was not there before. */
function sent({ place }: TestPlatform, before: string[] = []): string[] {
  return outbox(place)
    .filter((name) => !before.includes(name))
    .map((name) => readMail(readFileSync(join(place.dataDir, "outbox", name))).text);
}

const outbox = ({ dataDir }: TestPlatform["place"]) => {
  const folder = join(dataDir, "outbox");
  return existsSync(folder) ? readdirSync(folder) : [];
};

const linksIn = (text: string) => text.match(/https?:\/\/[^\s"<]+/g) ?? [];

onEachDatabase("a mailed secret", (open) => {
  it("is refused at an unconfirmed origin", async () => {
    const { platform, said } = await openWithoutAddress(open, "https://cap.example");
    const { email } = await subscriber(platform);
    await platform.runDueJobs();
    const before = (await mails(platform)).length;
    const hosts = [EVIL, "http://cap.example", "https://cap.example:444", "https://localhost.evil"];
    for (const origin of hosts) {
      const [known, unknown] = [mailings(email), mailings("personne@exemple.fr")];
      for (const [index, mailing] of known.entries()) {
        const answers = [
          await callAt(platform, origin, mailing),
          await callAt(platform, origin, unknown[index] ?? mailing),
        ];
        expect(answers[0]).toEqual(answers[1]);
        expect([answers[0]?.status, mailing[0]]).toEqual([400, mailing[0]]);
        expect(answers[0]?.text).toContain("not confirmed");
      }
    }
    await platform.runDueJobs();
    expect(await mails(platform)).toHaveLength(before);
    expect(await platform.database.selectFrom("ticket").selectAll().execute()).toEqual([]);
    expect(await platform.database.selectFrom("contract_notice").selectAll().execute()).toEqual([]);
    expect(said.at(-1)?.fields).toMatchObject({
      origin: "https://localhost.evil",
      remedy: expect.stringContaining("SITE_URL") as string,
    });
  });

  it.each([
    "http://localhost:3000",
    "http://127.0.0.1",
    "http://127.8.9.1:81",
    "https://[::1]:3000",
  ])("leads to the local machine at %s", async (origin) => {
    const { platform } = await openWithoutAddress(open);
    for (const mailing of mailings("ada@exemple.fr")) {
      const { status } = await callAt(platform, origin, mailing);
      expect([201, 202], mailing[0]).toContain(status);
    }
    await platform.runDueJobs();
    const all = sent(platform).flatMap(linksIn);
    expect(new Set(all.map((link) => new URL(link).origin))).toEqual(new Set([origin]));
  });

  it.each(["203.0.113.9", "2001:db8::1", "::ffff:203.0.113.9"])(
    "is refused to %s at the local machine",
    async (clientAddress) => {
      const { platform } = await openWithoutAddress(open);
      for (const mailing of mailings("ada@exemple.fr")) {
        const from = { clientAddress };
        const { status } = await callAt(platform, "http://localhost:3000", mailing, from);
        expect([status, mailing[0]]).toEqual([400, mailing[0]]);
      }
    },
  );

  it("leads to confirmed origins until they are removed", async () => {
    const { platform } = await openWithoutAddress(open, ORIGIN);
    const { email } = await newPerson(platform);
    expect((await callAt(platform, ORIGIN, reset(email))).status).toBe(202);
    await platform.runDueJobs();
    const { text } = await newestMail(platform, email);
    expect(text).toContain(`${ORIGIN}/reset-password/update?token=`);
    expect(await removeOrigin(platform.database, ORIGIN)).toBe(true);
    expect((await callAt(platform, ORIGIN, reset(email))).status).toBe(400);
  });

  it("leads to SITE_URL whatever the request's address", async () => {
    const platform = await open({ siteUrl: ORIGIN });
    const { email } = await newPerson(platform);
    await confirm(platform, EVIL);
    for (const mailing of mailings(email)) await callAt(platform, EVIL, mailing);
    await platform.runDueJobs();
    expect(sent(platform).join()).toContain("https://cap.example/reset-password/update?token=");
    expect(sent(platform).join()).not.toContain("evil");
  });

  it("ignores unconfirmed addresses stored before", async () => {
    const { platform } = await openWithoutAddress(open, ORIGIN);
    const { email } = await subscriber(platform);
    for (const table of ["account", "subscription"] as const) {
      await platform.database.updateTable(table).set({ origin: EVIL }).execute();
    }
    await platform.runDueJobs();
    const before = outbox(platform.place);
    for (const mailing of mailings(email)) await callAt(platform, ORIGIN, mailing);
    await platform.database.updateTable("contract_notice").set({ origin: EVIL }).execute();
    await platform.database.updateTable("support_link_request").set({ origin: EVIL }).execute();
    await platform.database.updateTable("password_reset_request").set({ origin: EVIL }).execute();
    await platform.runDueJobs();
    const texts = sent(platform, before).join();
    expect(texts).toMatch(/cap\.example\/cancel-contract\/undo\?token=/);
    expect(texts).toMatch(/cap\.example\/reset-password\/update\?token=/);
    expect(texts).not.toContain("evil");
  });

  it("is mailed once an origin is confirmed", async () => {
    const { platform, said } = await openWithoutAddress(open, ORIGIN);
    const person = await subscriber(platform);
    await callAt(platform, ORIGIN, reset(person.email));
    await callAt(platform, ORIGIN, ["POST /cancellations", { name: "Ada", email: person.email }]);
    await removeOrigin(platform.database, ORIGIN);
    await platform.runDueJobs();
    const before = outbox(platform.place);
    expect((await subscriptionOf(platform, person)).cancelled_at).toBeNull();
    expect(JSON.stringify(said.map(({ fields }) => String(Object.values(fields)[0])))).toContain(
      "set SITE_URL",
    );
    await confirm(platform, "https://autre.example");
    platform.clock.advance(HOUR_MS / 2);
    await platform.runDueJobs();
    const texts = sent(platform, before).join();
    expect(texts).toContain("https://autre.example/cancel-contract/undo?token=");
    expect(texts).toContain("https://autre.example/reset-password/update?token=");
  });

  it("leads to no other address that requests name", async () => {
    const { platform } = await openWithoutAddress(open, ORIGIN);
    const context = { db: platform.database, site: siteAt(null) };
    const host = fc.oneof(
      fc.webAuthority(),
      fc.ipV4(),
      fc.constantFrom("localhost.evil.example", "127.0.0.1.evil.example", "evil.example#localhost"),
      fc.string(),
    );
    const origins = fc.tuple(fc.constantFrom("http://", "https://", ""), host);
    await fc.assert(
      fc.asyncProperty(origins, async ([scheme, name]) => {
        const origin = scheme + name;
        expect(await findSite(context, origin)).toMatchObject({ url: ORIGIN, isTrusted: true });
        const allowed = await checkOrigin(context, { origin, clientAddress: null }).then(
          () => true,
          () => false,
        );
        expect(allowed).toBe(/^https?:\/\/(?:localhost|127\.[\d.]+)(?::\d+)?$/.test(origin));
      }),
    );
  });

  it("prefers the newest confirmed address to localhost", async () => {
    const { platform } = await openWithoutAddress(open, ORIGIN, "https://neuf.example");
    const { email } = await newPerson(platform);
    await platform.database.updateTable("account").set({ origin: null }).execute();
    expect((await callAt(platform, "http://localhost", reset(email))).status).toBe(202);
    await platform.runDueJobs();
    expect((await newestMail(platform, email)).text).toContain("https://neuf.example/reset-");
  });

  it("is left out of mails that work without it", async () => {
    const { platform } = await openWithoutAddress(open);
    const ticket = mailings("ada@exemple.fr")[2];
    if (!ticket) throw new Error("No call");
    const created = await callAt(platform, "http://localhost", ticket);
    const { uid } = JSON.parse(created.text).payload;
    await platform.database.updateTable("ticket").set({ origin: EVIL }).execute();
    const before = await platform.database.selectFrom("support_link").selectAll().execute();
    expect((await answer(platform, await newCoach(platform), uid)).status).toBe(201);
    expect(await platform.database.selectFrom("support_link").selectAll().execute()).toEqual(
      before,
    );
    await platform.runDueJobs();
    const mail = await newestMail(platform, "ada@exemple.fr");
    expect(mail.text).toContain("Bonjour Ada");
    expect([linksIn(mail.text), linksIn(mail.html)]).toEqual([[], []]);
  });

  it("is not needed when signed in", async () => {
    const { platform } = await openWithoutAddress(open);
    const person = await subscriber(platform);
    const own: Mailing = ["POST /withdrawals", { name: "Ada", email: person.email }];
    expect((await callAt(platform, EVIL, own, { token: person.token })).status).toBe(202);
    await platform.runDueJobs();
    const letters = sent(platform);
    expect(letters.join()).toContain("L221-21");
    expect(letters.flatMap(linksIn).filter((link) => link !== MEDIATOR)).toEqual([]);
  });
});

onEachDatabase("the command site", (open) => {
  const openHere = async () => {
    const { platform } = await openWithoutAddress(open);
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    return platform;
  };
  const run = (...argv: string[]) => runCommand(site, argv);

  it("confirms and forgets while the site runs", async () => {
    const platform = await openHere();
    expect((await run("confirm", "https://CAP.example:443/")).out).toEqual([
      "https://cap.example is confirmed",
    ]);
    expect((await run("list")).out).toEqual(["https://cap.example"]);
    expect((await callAt(platform, ORIGIN, reset("ada@exemple.fr"))).status).toBe(202);
    expect((await run("forget", "https://cap.example")).code).toBe(0);
    expect((await run("list")).out).toEqual([]);
    expect((await callAt(platform, ORIGIN, reset("ada@exemple.fr"))).status).toBe(400);
  });

  it("decides where the coach command's invitations lead", async () => {
    const platform = await openHere();
    vi.stubEnv("PORT", "3456");
    await runCommand(coach, ["add", "solene@exemple.fr"]);
    await run("confirm", "https://cap.example");
    await runCommand(coach, ["add", "hugo@exemple.fr"]);
    const textOf = async (email: string) => {
      const all = await mails(platform);
      return all.find(({ recipient }) => recipient === email)?.text;
    };
    expect(await textOf("solene@exemple.fr")).toContain("http://localhost:3456/reset-password/");
    expect(await textOf("hugo@exemple.fr")).toContain("https://cap.example/reset-password/");
  });

  it.each([
    [[]],
    [["confirm"]],
    [["confirm", "cap.example"]],
    [["confirm", "https://cap.example/path"]],
    [["confirm", "https://user@cap.example"]],
    [["confirm", "ftp://cap.example"]],
    [["confirm", "https://cap.example", "https://autre.example"]],
    [["forget", "https://cap.example"]],
    [["list", "all"]],
    [["check"]],
  ])("refuses %j in one line", async (argv) => {
    await openHere();
    const { code, error } = await run(...argv);
    expect([code, error.length, error[0]?.includes("\n")]).toEqual([1, 1, false]);
  });
});

it("the command site explains itself", async () => {
  expect(await runCommand(site, ["--help"])).toMatchObject({ code: 0, error: [] });
});

it.each(LETTERS)("the letter $kind has no link without an address", (letter) => {
  const { text, html } = composeMail({ ...letter, site: siteAt("") });
  // The desk's address is given whole by the command that invites.
  const given = letter.kind === "coach-invited" ? 1 : 0;
  expect(html.match(/<a /g)?.length ?? 0).toBeLessThanOrEqual(given);
  expect(text).not.toMatch(/^\/|Ouvrez/m);
  const facts = letter.kind === "coach-invited" && letter.passwordUrl ? 1 : 0;
  const ours = linksIn(text).filter((link) => !link.startsWith("https://mediateur.example"));
  expect(ours).toHaveLength(facts);
});
