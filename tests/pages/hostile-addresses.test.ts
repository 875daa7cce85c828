import { describe, expect, it } from "vitest";
import { paths } from "~/paths";
import { openPages, SITE } from "../support/pages";

const { visitor } = openPages();

it.each([
  ["thousands of names", Array.from({ length: 2_000 }, (_, index) => `n${index}=x`).join("&")],
  ["thousands of the same name", "categories=signes&".repeat(2_000)],
  ["more filters than there may be", Array.from({ length: 101 }, (_, i) => `tags=t${i}`).join("&")],
])("an address with %s is answered 400", async (_, query) => {
  const { status, html } = await visitor().get(`/articles?${query}`);
  expect(status).toBe(400);
  expect(html).toContain("pas compris cette demande");
});

it("filters with parser syntax are ignored", async () => {
  const query = "categories[4294967294]=x&tags[a][b]=x&__proto__=x&constructor[prototype]=x";
  const { status, dom } = await visitor().get(`/articles?${query}`);
  expect([status, dom.querySelectorAll(".chip")]).toEqual([200, []]);
});

it("a page grows linearly with its address", async () => {
  const unknown = Array.from({ length: 100 }, (_, index) => `tags=t${index}`);
  const known = Array.from({ length: 100 }, () => "categories=signes");
  const path = `/articles?${[...unknown, ...known].join("&")}`;
  const { status, dom, body } = await visitor().get(path);
  expect([status, dom.querySelectorAll(".chip").length]).toEqual([200, 2]);
  const { body: usual } = await visitor().get("/articles?categories=signes&tags=t1");
  expect(body.length - usual.length).toBeLessThan(10 * path.length);
});

it.each([`/${"a".repeat(2_048)}`, `/article/${"a".repeat(3_000)}/x`])(
  "a path above 2,048 characters is answered 414",
  async (path) => {
    const { status, html } = await visitor().get(path);
    expect(status).toBe(414);
    expect(html).toContain("trop longue");
  },
);

describe("another spelling of an address", () => {
  it.each([
    ["/%77ithdrawal?x=1", "/withdrawal?x=1"],
    ["/withdrawal/%63onfirm?token=a%26b", "/withdrawal/confirm?token=a%26b"],
    ["/%61rticles", "/articles"],
    ["/%72egistration/welcome/", "/registration/welcome"],
    ["/article/lire%2Dson%2dtheme-natal", "/article/lire-son-theme-natal"],
    [`${SITE}//mal%2Eexample`, "/mal.example"],
    [`${SITE}//%6Dal.example/login?x=1`, "/mal.example/login?x=1"],
    [`${SITE}///%6dal.example//`, "/mal.example"],
  ])("leads %s to %s", async (path, plain) => {
    const { status, headers } = await visitor().get(path);
    expect([status, headers.get("location")]).toEqual([301, plain]);
  });

  it.each(["/Withdrawal", "/CANCEL-CONTRACT", "/Registration/Welcome", "/Legal-Notice"])(
    "with capitals is no page: %s",
    async (path) => {
      expect((await visitor().get(path)).status).toBe(404);
      expect((await visitor().post(path, { intent: "notify" })).status).toBe(404);
    },
  );

  it.each(["/%77ithdrawal", "/withdrawal/", "/%6cogin"])("takes no post: %s", async (path) => {
    const { status, html } = await visitor().post(path, { email: "ada@exemple.fr" });
    expect(status).toBe(404);
    expect(html).not.toContain("Notification de la résiliation");
  });
});

it.each(["%00", "%0A", "%0d%0aset-cookie:a", "%7f", "%E0%A4%A", "%"])(
  "an address containing %s is no page",
  async (code) => {
    for (const path of [
      `/${code}`,
      `/article/${code}`,
      `/contact/tickets/${code}`,
      `/api/${code}`,
    ]) {
      const { status } = await visitor().get(path);
      expect([400, 302, 404], path).toContain(status);
    }
  },
);

it.each(["PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])("%s breaks no page", async (method) => {
  for (const path of ["/", paths.login(), paths.account(), "/api/auth_check", "/api/x"]) {
    expect((await visitor().send(path, { method })).status, path).toBeLessThan(500);
  }
});
