import { launchBrowser, frenchReader } from "/work/wt/touch/tests/support/browser";
import { startSite } from "/work/wt/touch/tests/support/site";
import { test } from "vitest";
test("m", async () => {
  const site = await startSite(); const browser = await launchBrowser();
  for (const path of ["/login","/cancel-contract","/cancel-contract","/cancel-contract"]) {
    const ctx = await browser.newContext(frenchReader({ baseURL: site.origin }));
    const page = await ctx.newPage(); 
    await page.goto(path);
    console.log(path, await page.evaluate(async () => { const h = JSON.parse(document.getElementById("handoff")!.textContent!); const m=h.modules; const all=[m.entry,m.manifest,...m.shared,...Object.values(m.routes) as string[]]; const out: string[]=[]; await Promise.all(all.map((a: string)=>import(a).catch((e: any)=>out.push(a+": "+e+(e.stack))))); return JSON.stringify(out); }));
    await ctx.close();
  }
  await browser.close(); await site.remove();
}, 120000);
