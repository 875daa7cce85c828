import { describe, expect, it } from "vitest";
import { config } from "~/config.server";
import { loginReturnPath, safeReturnPath } from "~/session/return-path.server";
import { hostilePath } from "./hostile-paths";
import { randomOf } from "./random";

const SITE = "https://cap.example";
const ROUNDS = 20_000;

describe("the way back to a payment or its result", () => {
  it.each([
    "/registration/success",
    "/registration/failure",
    "/registration/welcome/success",
    "/registration/welcome/failure",
    "/callback/payment?cashback=0&success=0",
    "/callback/payment?cashback=1&success=0",
    "/registration/payment",
    "/account",
  ])("keeps %s", (path) => {
    expect(loginReturnPath(path)).toBe(path);
  });

  it.each([
    "/registration",
    "/registration/payment?utk=a",
    "/registration/payment/",
    "/registration/failure?a=1",
    "/registration/failure/..",
    "/callback/payment?success=2",
    "//mal.example/registration/failure",
    null,
  ])("refuses %s", (path) => {
    expect(loginReturnPath(path)).toBeNull();
  });
});

describe("the way back after signing in", () => {
  it.each([
    ["/account", "/account"],
    ["/account?vue=1&vue=2", "/account?vue=1&vue=2"],
    ["/account/subscription", "/account/subscription"],
    ["/coaching/0192-ab_c", "/coaching/0192-ab_c"],
    ["/article/lire-son-theme-natal", "/article/lire-son-theme-natal"],
    ["/article?uid=lire-son-theme-natal", "/article?uid=lire-son-theme-natal"],
    ["/article/a?retour=https://ailleurs.example/", "/article/a?retour=https://ailleurs.example/"],
    ["/article/a#suite", "/article/a"],
    ["/article/élan", "/article/%C3%A9lan"],
    ["/article/login", "/article/login"],
    ["/account/../article/a", "/article/a"],
    ["/about/../account", "/account"],
    [`/article/${"a".repeat(128)}`, `/article/${"a".repeat(128)}`],
  ])("keeps %s as %s", (wanted, path) => {
    expect(safeReturnPath(wanted)).toBe(path);
  });

  it.each([
    null,
    undefined,
    "",
    " ",
    "account",
    "./account",
    "?a=1",
    "#account",
    "/",
    "/articles",
    "/accounts",
    "/account-x",
    "/Account",
    "/about",
    "/desks",
    "/api/users",
    "/login",
    "/logout",
    "/registration",
    "/registration/payment",
    "/callback/payment",
    "/page404",
    "/page5xx",
    "/account/../login",
    "/article/..",
    "/article/../../etc",
    "/article/%2e%2e/login",
    "/article/.%2E/registration",
    "/account/..//mal.example",
    "//mal.example",
    "//mal.example/account",
    "///mal.example/account",
    "////account",
    "/\\mal.example",
    "\\\\mal.example",
    "/\\/mal.example",
    "\\/account",
    "/account\\..\\..",
    "/%5cmal.example/account",
    "/%2f/mal.example",
    "/%2Fmal.example",
    "/account%5c",
    "https://mal.example/account",
    "https:/account",
    "https:account",
    "HTTPS:\\\\mal.example",
    "data:text/html,<script>",
    "javascript:alert(1)//account",
    "blob:https://cap.example/x",
    "/\t/mal.example",
    "\t/account",
    "/account\n",
    "/acc\tount",
    "/\r\n/mal.example",
    " /account",
    "/account\u0000",
    "/account%00",
    "/account%0d%0aset-cookie:a=b",
    "/account?a=%0A",
    "/account?a= b",
    "/account\u00a0",
    "/account\u2028",
    "/account\u0085",
    "/account\u007f",
    "/account?a=%7F",
    "／／mal.example",
    "/／mal.example",
    "/⁄mal.example",
    "/∕mal.example",
    "/＼mal.example",
    "/account@mal.example",
    "/@mal.example",
    "/.mal.example",
    "/;/account",
    "/./mal.example",
    `/article/${"a".repeat(10_000)}`,
    `/article/${"é".repeat(200)}`,
    `/account?a=${"%20".repeat(2_000)}`,
  ])("refuses %j", (wanted) => {
    expect(safeReturnPath(wanted)).toBeNull();
  });

  it("stays on the site and in its zone", () => {
    const random = randomOf(20261120);
    let kept = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const wanted = hostilePath(random);
      const path = safeReturnPath(wanted);
      if (path === null) continue;
      kept++;
      expectSafe(path, wanted);
      expect(safeReturnPath(path), wanted).toBe(path);
    }
    // The random paths must produce both results, otherwise the test proves nothing.
    expect(kept).toBeGreaterThan(ROUNDS / 100);
    expect(kept).toBeLessThan(ROUNDS / 2);
  });

  it("stays on the site for encoded values too", () => {
    const random = randomOf(7);
    for (let round = 0; round < ROUNDS / 4; round++) {
      const path = safeReturnPath(encodeURI(hostilePath(random).replaceAll("\ud800", "")));
      if (path !== null) expectSafe(path, path);
    }
  });
});

function expectSafe(path: string, wanted: string) {
  const target = new URL(path, SITE);
  expect(target.origin, wanted).toBe(SITE);
  expect(target.pathname + target.search, wanted).toBe(path);
  expect(path, wanted).toMatch(/^\/(?!\/)[\x21-\x7e]*$/);
  expect(
    config().securedBases.some((base) => isBelow(target.pathname, base)),
    wanted,
  ).toBe(true);
}

const isBelow = (path: string, base: string) => path === base || path.startsWith(`${base}/`);
