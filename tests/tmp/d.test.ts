import { launchBrowser, frenchReader } from "/work/wt/touch/tests/support/browser";
import { startSite } from "/work/wt/touch/tests/support/site";
import { test } from "vitest";
test("m", async () => {
  const site = await startSite(); const browser = await launchBrowser();
  for (let i=0;i<12;i++) for (const path of ["/login","/cancel-contract"]) {
    const ctx = await browser.newContext(frenchReader({ baseURL: site.origin }));
    const page = await ctx.newPage(); 
    page.on("console", m => console.log("CONSOLE", m.text())); page.on("pageerror", m => console.log("ERR", String(m)));
    await page.goto(path); if (i%2) await page.waitForLoadState("networkidle");
      await page.locator("main form input:not([type=hidden])").first().click();
      const ok = await page.locator("form[novalidate]").first().waitFor({timeout:4000}).then(()=>true,()=>false);
      console.log(path, "hydrated", ok, await page.evaluate(() => JSON.stringify([!!(window as any).__remixRouter, !!(window as any).__remixContext, document.querySelector("main form")?.outerHTML.slice(0,200), Object.keys(document.querySelector("main form")!)])));
    await ctx.close();
  }
  await browser.close(); await site.remove();
}, 120000);
