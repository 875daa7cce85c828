import { beforeAll, describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { hostilePath } from "../app/hostile-paths";
import { randomOf } from "../app/random";
import { openPages, SITE, type PageAnswer, type Visitor } from "../support/pages";
import { newEmail, PASSWORD, subscribe } from "../support/people";

const { visitor } = openPages();

const ROUNDS = 300;
/** Few runs: each signs in, and checking a password is slow on purpose. */
const SIGN_INS = 60;

const hostilePaths = (seed: number, count: number) => {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => hostilePath(random));
};

const withReturn = (path: string, wanted: string) =>
  `${path}?${new URLSearchParams({ returnTo: wanted })}`;

/** Expects a redirect that every browser follows to this site. */
function expectHere({ status, headers }: PageAnswer, wanted: string) {
  expect(status, wanted).toBeLessThan(500);
  const location = headers.get("location");
  if (location === null) return null;
  expect(new URL(location, SITE).origin, wanted).toBe(SITE);
  expect(location, wanted).toMatch(/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/);
  return location;
}

/** Expects no link or form of the page to leave this site. */
function expectNoWayOut({ dom }: PageAnswer, wanted: string) {
  for (const element of dom.querySelectorAll("main a[href], main form[action]")) {
    const target = element.getAttribute("href") ?? element.getAttribute("action") ?? "";
    expect(new URL(target, SITE).origin, wanted).toBe(SITE);
  }
}

describe("a hostile way back", () => {
  const email = newEmail();
  let subscriber: Visitor;
  beforeAll(async () => {
    subscriber = visitor();
    await subscribe(subscriber, email);
  });

  it("never leads a signed-in person away", async () => {
    let kept = 0;
    for (const wanted of hostilePaths(1, ROUNDS)) {
      const answer = await subscriber.get(withReturn(paths.login(), wanted));
      expect(answer.status, wanted).toBe(302);
      if (expectHere(answer, wanted) !== paths.account()) kept++;
    }
    expect(kept).toBeGreaterThan(0);
  });

  it("never leads to another site after signing in", async () => {
    for (const wanted of hostilePaths(2, SIGN_INS)) {
      const path = withReturn(paths.login(), wanted);
      const answer = await visitor().post(path, { email, password: PASSWORD });
      expect(answer.status, wanted).toBe(303);
      expectHere(answer, wanted);
    }
  });

  it("appears on no page that asks to sign in", async () => {
    for (const wanted of hostilePaths(3, ROUNDS)) {
      const page = await visitor().get(withReturn(paths.login(), wanted));
      expect(page.status, wanted).toBe(200);
      expectNoWayOut(page, wanted);
    }
  });

  it("sends no carried form to another site", async () => {
    for (const wanted of hostilePaths(4, ROUNDS)) {
      const path = `${withReturn(paths.login(), wanted)}&carried=1`;
      const page = await subscriber.post(path, { name: "Zoé" });
      expectHere(page, wanted);
      expectNoWayOut(page, wanted);
    }
  });

  it("is dropped by the registration", async () => {
    for (const wanted of hostilePaths(5, ROUNDS)) {
      const page = await visitor().get(withReturn(paths.registration(), wanted));
      expect(page.status, wanted).toBe(200);
      expectNoWayOut(page, wanted);
    }
  });

  it("is not stored for a new subscriber", async () => {
    for (const wanted of hostilePaths(6, SIGN_INS / 4)) {
      const reader = visitor();
      await reader.get(withReturn(paths.registration(), wanted));
      const result = await subscribe(reader);
      expect(result.status, wanted).toBe(200);
      expectNoWayOut(result, wanted);
    }
  });
});

it.each([
  ["/coaching/0192-ab_c", "/coaching/0192-ab_c#latest"],
  ["/coaching/new-discussion", "/coaching/new-discussion"],
  ["/coaching", "/coaching"],
])("%s is opened after signing in as %s", async (wanted, opened) => {
  const email = newEmail();
  await subscribe(visitor(), email);
  const fields = { email, password: PASSWORD };
  const answer = await visitor().post(withReturn(paths.login(), wanted), fields);
  expect(answer.headers.get("location")).toBe(opened);
});
