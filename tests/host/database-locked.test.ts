import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../server/platform/database/connection";
import { paths } from "~/paths";
import { startSite } from "../support/site";

const PAGES = ["/healthz", "/readyz", paths.home(), paths.registration(), "/api/content/articles"];

it("while another process holds SQLite's lock, all but writes are answered", async () => {
  const site = await startSite();
  onTestFinished(site.remove);
  const other = await openDatabase({ dataDir: site.dataDir });
  onTestFinished(() => other.destroy());
  const register = async () => {
    const identifier = `${crypto.randomUUID()}@exemple.fr`;
    const response = await fetch(`${site.origin}/api/registrations/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ identifier, password: "une-orbite-paisible", formula: "vip-mensuel" }),
    });
    return response.status;
  };
  let answered: number | undefined;
  const { registered } = await other.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("setting")
      .set({ value: "" })
      .where("name", "=", "none")
      .execute();
    const registered = register().then((status) => (answered = status));
    for (let round = 0; round < 20; round++) {
      // Each round asks for pages that no cache has.
      const others = [
        `${paths.articles({ tag: "lune" })}&n=${round}`,
        `/article/nulle-part-${round}`,
      ];
      for (const path of [...PAGES, ...others]) {
        const { status } = await fetch(`${site.origin}${path}`);
        expect([path, status]).toEqual([path, path.includes("nulle-part") ? 404 : 200]);
      }
    }
    expect(answered).toBeUndefined();
    // In an object, or the transaction would wait for it.
    return { registered };
  });
  expect(await registered).toBe(201);
});
