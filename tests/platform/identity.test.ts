import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, test, vi } from "vitest";
import { main as content } from "../../server/cli/content";
import { main as formulas } from "../../server/cli/formulas";
import { main as site } from "../../server/cli/site";
import { main as traffic } from "../../server/cli/traffic";
import { retireDemoContent } from "../../server/platform/content/demo-content";
import { readIdentity } from "../../server/platform/content/identity";
import { demoLeftovers, misnamedPages } from "../../server/platform/content/identity-check";
import { importContent } from "../../server/platform/content/import";
import { articleFile, contentFolder, references } from "../support/content";
import { onEachDatabase } from "../support/platform";
import { runCommand } from "./command";
import { newPerson } from "./funnel";
import { newestMail } from "./life";

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  cleanups.splice(0).forEach((cleanup) => cleanup());
});

/** A file of that text, until the test has ended. */
function file(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), "identity-"));
  cleanups.push(() => rmSync(directory, { recursive: true }));
  const path = join(directory, "identity.yaml");
  writeFileSync(path, text);
  return path;
}

/** The example that operators copy. */
const [, example = ""] =
  /\n## Who sells\n[^]*?```yaml\n([^]*?)```/.exec(readFileSync("docs/operations.md", "utf8")) ?? [];

/** Unfolds to more than memory holds. */
const ALIAS_BOMB = [
  `a0: &a0 [${"x, ".repeat(20)}x]`,
  ...Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(20)}*a${i}]`),
].join("\n");

/** The same with names that a company can have: reserved ones are refused with a live key. */
const real = example.replaceAll(".example", ".fr");

/** What invoices of a seller without VAT say. */
const WITHOUT_VAT = "non applicable, franchise en base";

const live = (secretKey: string) => ({
  secretKey,
  webhookSecret: "whsec_x",
  apiBase: "http://127.0.0.1:9",
});

/** Nothing is sent there, because no job runs. */
const mailUrl = "smtp://127.0.0.1:9";

describe("the identity file", () => {
  it("in the documentation is complete", () => {
    const { identity, missing } = readIdentity(file(example));
    expect(missing).toEqual([]);
    expect(identity.seller.register).toBe("RCS Brest 123 456 789");
    expect(readIdentity(file(example)).vatRate).toBe(20);
  });

  it("has its missing values listed", () => {
    const { identity, missing } = readIdentity(file("seller: { name: Étoile SAS }\n"));
    expect(identity.seller.name).toBe("Étoile SAS");
    expect(missing).toContain("seller.register");
    expect(missing).toContain("statement");
    expect(missing).not.toContain("seller.name");
  });

  it.each([
    ["seller: { nom: Étoile }\n", /line 1: .*unknown key "nom"/],
    ["seller:\n  name: Étoile\n  email: étoile\n", /line 3: .*e-mail/],
    ["mediator:\n  website: http://x.example\n", /line 2: .*https:/],
    ["statement: [a]\n", /line 1: statement/],
    ["vatRate: 20 %\n", /line 1: vatRate: give a number of percent such as 20/],
    ["vatRate: 200\n", /line 1: vatRate/],
    ["seller: {\n", /IDENTITY_FILE is not valid/],
    ["seller:\n  seat: '{{seller.seat}}'\n", /line 2: seller\.seat: give the value itself/],
    ["statement: 'A {{demo}}'\n", /line 1: statement: give the value itself/],
    ["seller: null\n", /line 1: seller: give some of name, form/],
    ["seller: [a]\n", /line 1: seller: give some of name, form/],
    ["- seller\n", /IDENTITY_FILE.*line 1: give some of seller, publisher/],
    ["", /IDENTITY_FILE.*line 1: give some of seller, publisher/],
    ["# nothing\n", /IDENTITY_FILE.*give some of seller, publisher/],
    ["42\n", /IDENTITY_FILE.*give some of seller, publisher/],
    [ALIAS_BOMB, /IDENTITY_FILE.*aliases .* write the values out/],
    ["seller: *nobody\n", /IDENTITY_FILE is not valid/],
  ])("is refused by line: %j", (text, fault) => {
    expect(() => readIdentity(file(text))).toThrow(fault);
  });

  it("that does not exist is named in the error", () => {
    expect(() => readIdentity("/nowhere/identity.yaml")).toThrow(
      "IDENTITY_FILE cannot be read (ENOENT): /nowhere/identity.yaml",
    );
  });
});

onEachDatabase("the seller's identity", (open) => {
  const legal = async (platform: Awaited<ReturnType<typeof open>>) =>
    (await platform.call("GET /content/pages/legal-notice")).body.payload.body as string;

  test("is shown on the legal pages", async () => {
    const text = await legal(await open({ identityFile: file(example) }));
    expect(text).toContain("RCS Brest 123 456 789");
    expect(text).toContain('<a href="https://mediation.example">mediation.example</a>');
    expect(text).not.toMatch(/\{\{|fictif|démonstration/);
    const platform = await open({ identityFile: file(example) });
    for (const [page, word] of [
      ["privacy", "Étoile du Nord SAS"],
      ["terms-of-service", "RCS Brest 123 456 789"],
      ["terms-of-service", "mediation.example"],
    ]) {
      const { body } = (await platform.call(`GET /content/pages/${page}`)).body.payload;
      expect(body).toContain(word);
      expect(body).not.toContain("{{");
    }
  });

  test.each(["FR12 123456789", WITHOUT_VAT])("says its VAT once: %s", async (vat) => {
    const identityFile = file(example.replace(/^( {2}vat: ).*/m, `$1"${vat}"`));
    const text = (await legal(await open({ identityFile }))).replace(/\s/g, " ");
    expect(text).toContain(`<li>TVA : ${vat}</li>`);
  });

  test("is marked as a demonstration until it is configured", async () => {
    const text = await legal(await open({ identityFile: undefined }));
    expect(text).toContain("<strong>Données de démonstration.</strong>");
    expect(text).not.toContain("{{");
  });

  test("is always escaped as text", async () => {
    const identityFile = file(`seller: { name: '<img src=x onerror="alert(1)"> & Cie' }\n`);
    const text = await legal(await open({ identityFile }));
    expect(text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Cie");
  });

  test("is shown at the foot of mails", async () => {
    const platform = await open({ identityFile: file(example) });
    const { email } = await newPerson(platform);
    await platform.call("POST /reset-password/request", { body: { identifier: email } });
    await platform.runDueJobs();
    const { text } = await newestMail(platform, email);
    expect(text).toContain(
      "Étoile du Nord SAS, société par actions simplifiée au capital de 10 000 €, 12 quai des Brumes",
    );
  });

  test("names the line on card statements", async () => {
    const platform = await open({ identityFile: file(example) });
    const { body } = await platform.call("GET /banking-service");
    expect(body.payload.name).toBe("ETOILE* DU NORD");
  });

  test("is required before a live key works", async () => {
    await expect(open({ identityFile: undefined, stripe: live("sk_live_x") })).rejects.toThrow(
      /IDENTITY_FILE does not give seller\.name/,
    );
  });

  test.each([
    [undefined, "SITE_URL is not set"],
    ["http://cap.example", "SITE_URL is not an https address"],
  ])("takes no real money at the address %s", async (siteUrl, fault) => {
    const { place } = await open({ identityFile: file(real) });
    vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", place.dataDir);
    const start = (secretKey: string) =>
      open({ ...place, identityFile: file(real), siteUrl, stripe: live(secretKey) });
    await expect(start("sk_live_x")).rejects.toThrow(fault);
    await expect(start("rk_live_x")).rejects.toThrow(fault);
    expect(await start("sk_test_x")).toBeDefined();
    vi.stubEnv("SITE_URL", siteUrl);
    expect((await runCommand(site, ["check"])).out).toContain(fault);
  });

  test("takes no real money while mails reach nobody", async () => {
    const fault = "MAIL_URL is not set: mails become files, and reach nobody";
    const { place } = await open({ identityFile: file(real) });
    vi.stubEnv("DATABASE_URL", place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", place.dataDir);
    const start = (secretKey: string) =>
      open({ ...place, identityFile: file(real), stripe: live(secretKey) });
    await expect(start("sk_live_x")).rejects.toThrow(fault);
    expect(await start("sk_test_x")).toBeDefined();
    const check = async () => (await runCommand(site, ["check"])).out;
    expect(await check()).toContain(fault);
    vi.stubEnv("MAIL_URL", mailUrl);
    expect(await check()).not.toContain(fault);
  });

  test("must replace demonstration values before a live key works", async () => {
    const page = "---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\nRCS Paris 000 000 000\n";
    const platform = await open({ identityFile: file(real) });
    const { directory, remove } = contentFolder({ "pages/legal-notice.md": page });
    cleanups.push(remove);
    await importContent(platform.database, directory);
    await platform.close();
    const stripe = live("rk_live_x");
    await expect(
      open({ ...platform.place, identityFile: file(real), mailUrl, stripe }),
    ).rejects.toThrow(/Demonstration values stand in the pages legal-notice/);
  });

  test("is missing while it holds values of nobody", async () => {
    const { database } = await open();
    const place = { db: database, contentDir: "server/content", isDemo: true };
    const missing = async (text: string) =>
      (await demoLeftovers({ ...place, known: readIdentity(file(text)) })).missing;
    expect(await missing(real)).toEqual([]);
    expect(await missing(example)).toEqual(["seller.email", "mediator.website"]);
    const swap = (name: string, value: string) =>
      missing(real.replace(new RegExp(`^(  ${name}: ).*`, "m"), `$1"${value}"`));
    expect(await swap("name", "Cap Céleste SAS (société fictive)")).toEqual(["seller.name"]);
    expect(await swap("seat", "1 rue de l'Exemple, 29200 Brest")).toEqual(["seller.seat"]);
    expect(await swap("register", "RCS Paris 000 000 000")).toEqual(["seller.register"]);
    expect(await swap("vat", "FR12 000000000")).toEqual(["seller.vat"]);
    expect(await swap("website", "https://www.example.org/")).toEqual(["mediator.website"]);
    for (const unfilled of ["à compléter", "A VENIR", "TODO", "[TODO]", "xxx", "-", "?"])
      expect(await swap("seat", unfilled)).toEqual(["seller.seat"]);
    for (const none of ["N/A", "NA"]) expect(await swap("vat", none)).toEqual(["seller.vat"]);
    expect(readFileSync("docs/operations.md", "utf8")).toContain(`vat: ${WITHOUT_VAT}`);
    expect(await swap("vat", WITHOUT_VAT)).toEqual([]);
    expect(await swap("vat", "non assujettie")).toEqual([]);
    expect(await swap("form", "société par actions simplifiée au capital de 1 000 €")).toEqual([]);
  });

  test("keeps live keys from offers of the demonstration", async () => {
    const platform = await open({ identityFile: file(real) });
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    vi.stubEnv("IDENTITY_FILE", file(real));
    vi.stubEnv("SITE_URL", "https://cap.example");
    vi.stubEnv("MAIL_URL", mailUrl);
    const start = () =>
      open({ ...platform.place, identityFile: file(real), mailUrl, stripe: live("sk_live_x") });
    await expect(start()).rejects.toThrow(
      /Offers of the demonstration are sold \(vip-cashback, vip-mensuel, demo-cashback\)/,
    );
    const checked = await runCommand(site, ["check"]);
    expect(checked.code).toBe(1);
    const commands = checked.out.map((line) => line.split("npm run ")[1]);
    expect(commands).toEqual([
      "formulas -- change, confirm or retire vip-cashback",
      "formulas -- change, confirm or retire vip-mensuel",
      "traffic -- retire demo-cashback",
    ]);
    expect((await runCommand(formulas, ["confirm", "vip-cashback"])).error).toEqual([
      expect.stringContaining("--credit-debtor"),
    ]);
    const ours = ["--credit-debtor", "Étoile du Nord SAS"];
    await runCommand(formulas, ["change", "vip-cashback", ...ours]);
    await runCommand(formulas, ["confirm", "vip-mensuel"]);
    await expect(start()).rejects.toThrow(/are sold \(demo-cashback\)/);
    expect((await runCommand(traffic, ["retire", "demo-cashback"])).code).toBe(0);
    expect(await runCommand(site, ["check"])).toMatchObject({ out: ["Nothing is missing"] });
    expect((await runCommand(traffic, ["retire", "demo-cashback"])).code).toBe(1);
  });

  test("comes with the name of the site", async () => {
    const siteTitle = "Étoile <du> Nord";
    const { call, database } = await open({ siteTitle });
    for (const page of ["terms-of-service", "privacy", "legal-notice", "accessibility"]) {
      const { body } = await call(`GET /content/pages/${page}`);
      expect(body.payload.body).toContain("Étoile &lt;du&gt; Nord");
      expect(JSON.stringify(body.payload)).not.toContain("Cap Céleste");
    }
    expect(await misnamedPages(database, siteTitle)).toEqual(["about"]);
    expect(await misnamedPages(database, "Cap Céleste")).toEqual([]);
  });

  test("is not asked of a site that plays with the sandbox", async () => {
    const { call } = await open();
    expect((await call("GET /offers?trafficToken=demo-cashback")).status).toBe(200);
  });

  test("is missing while the demonstration is published beside own content", async () => {
    const platform = await open({ identityFile: file(real) });
    const article = articleFile({ author: "zoe", related: [] }, "Le mien.");
    const mine = { ...references, "articles/le-mien.md": article };
    const { directory, remove } = contentFolder(mine);
    cleanups.push(remove);
    await importContent(platform.database, directory);
    vi.stubEnv("DATABASE_URL", platform.place.databaseUrl ?? "");
    vi.stubEnv("DATA_DIR", platform.place.dataDir);
    vi.stubEnv("IDENTITY_FILE", file(real));
    const listed = async () => (await runCommand(site, ["check"])).out.join("\n");
    expect(await listed()).not.toContain("article");
    vi.stubEnv("CONTENT_DIR", directory);
    expect(await listed()).toContain(
      `the article "lire-son-theme-natal" is the demonstration's: npm run content -- retire-demo`,
    );
    expect(await listed()).toContain(`the author "claire-vasseur" is the demonstration's`);
    expect(await listed()).toContain(`the page "about" presents the demonstration's site`);
    expect((await runCommand(content, ["retire-demo"])).out).toEqual([
      "Removed article 26, author 4, media 3",
    ]);
    expect(await listed()).not.toMatch(/article|author/);
    const again = await platform.reopen();
    const { payload } = (await again.call("GET /content/articles?length=100")).body;
    expect(payload).toMatchObject([{ uid: "le-mien" }]);
  });

  test("is not missing for texts that their owner changed", async () => {
    const { database } = await open();
    const changed = { ...references, "articles/lire-son-theme-natal.md": articleFile() };
    const { directory, remove } = contentFolder(changed);
    cleanups.push(remove);
    await importContent(database, directory);
    const removed = await retireDemoContent({ db: database, contentDir: "server/content" });
    expect(removed.articles).toHaveLength(25);
    expect(removed.articles).not.toContain("lire-son-theme-natal");
  });

  test("has no unknown placeholder in content", async () => {
    const page = "---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\nA.\n\n{{seller.nom}}\n";
    const { database } = await open();
    const { directory, remove } = contentFolder({ "pages/legal-notice.md": page });
    cleanups.push(remove);
    await expect(importContent(database, directory)).rejects.toThrow(/seller\.nom/);
  });

  test("is used with own content and no demonstration", async () => {
    const { directory, remove } = contentFolder(references);
    cleanups.push(remove);
    const { call } = await open({ ownContentDir: directory, contentDir: "server/content" });
    expect((await call("GET /content/articles/lune-blanche")).status).toBe(404);
    expect((await call("GET /content/pages/terms-of-service")).status).toBe(200);
    expect((await call("GET /traffic-tokens/demo-cashback")).status).toBe(404);
    expect((await call("GET /content/articles?length=100")).body.payload).toEqual([]);
  });
});
