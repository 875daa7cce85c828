import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it, test } from "vitest";
import { readIdentity } from "../../server/platform/content/identity";
import { importContent } from "../../server/platform/content/import";
import { contentFolder, references } from "../support/content";
import { onEachDatabase } from "../support/platform";
import { newPerson } from "./funnel";
import { newestMail } from "./life";

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((cleanup) => cleanup()));

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
  /```yaml\n([^]*?)```/.exec(readFileSync("docs/deployment.md", "utf8")) ?? [];

describe("the identity file", () => {
  it("of the documentation leaves nothing out", () => {
    const { identity, missing } = readIdentity(file(example));
    expect(missing).toEqual([]);
    expect(identity.seller.register).toBe("RCS Brest 123 456 789");
  });

  it("names what it leaves out", () => {
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
    ["seller: {\n", /IDENTITY_FILE is not valid/],
  ])("is refused by line: %j", (text, fault) => {
    expect(() => readIdentity(file(text))).toThrow(fault);
  });

  it("that is not there is named", () => {
    expect(() => readIdentity("/nowhere/identity.yaml")).toThrow(
      "IDENTITY_FILE cannot be read (ENOENT): /nowhere/identity.yaml",
    );
  });
});

onEachDatabase("the seller's identity", (open) => {
  const legal = async (platform: Awaited<ReturnType<typeof open>>) =>
    (await platform.call("GET /content/pages/legal-notice")).body.payload.body as string;

  test("stands in the legal pages", async () => {
    const text = await legal(await open({ identityFile: file(example) }));
    expect(text).toContain("RCS Brest 123 456 789");
    expect(text).toContain('<a href="https://mediation.example">mediation.example</a>');
    expect(text).not.toMatch(/\{\{|fictif|démonstration/);
  });

  test("is called a demonstration until it is given", async () => {
    const text = await legal(await open({ identityFile: undefined }));
    expect(text).toContain("<strong>Données de démonstration.</strong>");
    expect(text).not.toContain("{{");
  });

  test("is never read as markup", async () => {
    const identityFile = file(`seller: { name: '<img src=x onerror="alert(1)"> & Cie' }\n`);
    const text = await legal(await open({ identityFile }));
    expect(text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt; &amp; Cie");
  });

  test("stands at the foot of mails", async () => {
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

  test("keeps live keys from taking money for nobody", async () => {
    const stripe = {
      secretKey: "sk_live_x",
      webhookSecret: "whsec_x",
      apiBase: "http://127.0.0.1:9",
    };
    await expect(open({ identityFile: undefined, stripe })).rejects.toThrow(
      /IDENTITY_FILE does not give seller\.name/,
    );
  });

  test("keeps live keys from pages that hold demonstration values", async () => {
    const page = "---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\nRCS Paris 000 000 000\n";
    const platform = await open({ identityFile: file(example) });
    const { directory, remove } = contentFolder({ "pages/legal-notice.md": page });
    cleanups.push(remove);
    await importContent(platform.database, directory);
    const stripe = {
      secretKey: "rk_live_x",
      webhookSecret: "whsec_x",
      apiBase: "http://127.0.0.1:9",
    };
    await platform.close();
    await expect(open({ ...platform.place, identityFile: file(example), stripe })).rejects.toThrow(
      /Demonstration values stand in the pages legal-notice/,
    );
  });

  test("has only places that something fills", async () => {
    const page = "---\ntitle: T\nsummary: S\ndate: 2026-01-01\n---\n\nA.\n\n{{seller.nom}}\n";
    const { database } = await open();
    const { directory, remove } = contentFolder({ "pages/legal-notice.md": page });
    cleanups.push(remove);
    await expect(importContent(database, directory)).rejects.toThrow(/seller\.nom/);
  });

  test("leaves the demonstration away beside own content", async () => {
    const { directory, remove } = contentFolder(references);
    cleanups.push(remove);
    const { call } = await open({ ownContentDir: directory, contentDir: "server/content" });
    expect((await call("GET /content/articles/lune-blanche")).status).toBe(404);
    expect((await call("GET /content/pages/terms-of-service")).status).toBe(200);
    expect((await call("GET /traffic-tokens/demo-cashback")).status).toBe(404);
    expect((await call("GET /content/articles?length=100")).body.payload).toEqual([]);
  });
});
