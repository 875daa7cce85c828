import { launchBrowser, frenchReader } from "/work/wt/touch/tests/support/browser";
import { startSite } from "/work/wt/touch/tests/support/site";
import { test } from "vitest";
test("m", async () => {
  const site = await startSite(); const browser = await launchBrowser();
  for (const path of ["/registration","/login","/contact/new-ticket","/cancel-contract","/registration/payment", "/", "/articles", "/contact", "/article/lire-son-theme-natal"]) {
    const ctx = await browser.newContext(frenchReader({ baseURL: site.origin }));
    const page = await ctx.newPage(); const cdp = await ctx.newCDPSession(page); await cdp.send("Network.enable");
    const types = new Map<string,{type:string,url:string}>(); let rows: any[] = [];
    cdp.on("Network.responseReceived", e => types.set(e.requestId, {type:e.type, url:e.response.url}));
    cdp.on("Network.loadingFinished", e => rows.push({...types.get(e.requestId), size: e.encodedDataLength}));
    page.on("console", m => console.log("CONSOLE", m.text())); page.on("pageerror", m => console.log("ERR", String(m)));
    await page.goto(path); await page.waitForLoadState("networkidle");
    const sum = (f=(r:any)=>true) => rows.filter(f).reduce((s,r)=>s+r.size,0);
    const rs = rows.filter(r=>!/favicon|manifest\.web/.test(r.url));
    console.log(path, "first", rs.length, rs.reduce((s,r)=>s+r.size,0), "script", sum(r=>r.type==="Script"), JSON.stringify(rs.map(r=>[r.type, r.url.replace(site.origin,""), r.size])));
    const field = page.locator("main form input:not([type=hidden])").first();
    if (await field.count() && path !== "/" && path !== "/articles" && path!=="/article/lire-son-theme-natal") {
      await field.click();
      const ok = await page.locator("form[novalidate]").first().waitFor({timeout:10000}).then(()=>true,()=>false);
      console.log("  hydrated", ok, rows.length, sum(), "script", sum(r=>r.type==="Script"), JSON.stringify(rows.filter(r=>r.type==="Script").map(r=>[r.url.split("/").at(-1), r.size])));
    }
    await ctx.close();
  }
  await browser.close(); await site.remove();
}, 120000);
