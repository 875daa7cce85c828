import fc from "fast-check";
import { expect, it } from "vitest";
import { onEachDatabase, type TestPlatform } from "../support/platform";
import { claimsOf, newPerson, PASSWORD, signIn } from "./funnel";

onEachDatabase("an account", (open) => {
  const register = (platform: TestPlatform, body: object) =>
    platform.call("POST /registrations/register", {
      body: { identifier: "ada@exemple.fr", formula: "vip-mensuel", password: PASSWORD, ...body },
    });

  it("is created with e-mail, formula and password", async () => {
    const platform = await open();
    const { status, body } = await register(platform, {});
    expect(status).toBe(201);
    expect(body.payload).toEqual({
      uid: expect.any(String),
      identifier: "ada@exemple.fr",
      formula: "vip-mensuel",
    });
  });

  it("is created without password but admits nobody", async () => {
    const platform = await open();
    const { status } = await register(platform, { password: undefined });
    expect(status).toBe(201);
    expect((await signIn(platform, "ada@exemple.fr", "undefined")).status).toBe(401);
  });

  it("remembers the affiliation it came with", async () => {
    const platform = await open();
    await register(platform, { affiliation: { token: "abc", platform: "demo" } });
    expect(await platform.database.selectFrom("account").selectAll().execute()).toMatchObject([
      { affiliation_token: "abc", affiliation_platform: "demo" },
    ]);
  });

  it.each([
    ["identifier", "pas-une-adresse", "invalid"],
    ["identifier", "", "missing"],
    ["identifier", `${"a".repeat(65)}@exemple.fr`, "invalid"],
    ["password", "court", "invalid"],
    ["password", "x".repeat(51), "invalid"],
    ["formula", "inconnue", "invalid"],
    ["affiliation.platform", "", "missing"],
  ])("refuses %s «%s» as %s", async (property, value, type) => {
    const platform = await open();
    const field = property.split(".")[0] ?? "";
    const affiliation = { token: "abc", platform: value };
    const body = { [field]: field === "affiliation" ? affiliation : value };
    const answer = await register(platform, body);
    expect(answer.status).toBe(400);
    expect(answer.body.violations).toEqual([{ property, type, message: expect.any(String) }]);
  });

  it("is unique however the e-mail is written", async () => {
    const platform = await open();
    await register(platform, {});
    const { status, body } = await register(platform, { identifier: "ADA@Exemple.FR" });
    expect(status).toBe(409);
    expect(body).toEqual({
      message: "Conflict in request",
      violations: [{ property: "identifier", type: "duplicate", message: "Already registered" }],
    });
  });

  it("is created once by a form sent twice", async () => {
    const platform = await open();
    const send = (key: string, password = PASSWORD) =>
      platform.call("POST /registrations/register", {
        headers: { "idempotency-key": key },
        body: { identifier: "ada@exemple.fr", formula: "vip-mensuel", password },
      });
    const [first, again] = await Promise.all([send("form-0001"), send("form-0001")]);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await send("form-0002")).status).toBe(409);
    expect((await send("form-0001", "un autre mot de passe")).status).toBe(409);
  });

  it("is created by one of twenty simultaneous requests", async () => {
    const platform = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(platform, {})));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([201, ...Array(19).fill(409)]);
  });

  it("with an e-mail refused since then stays usable", async () => {
    const platform = await open();
    const { uid } = await newPerson(platform, `${"a".repeat(64)}@exemple.fr`);
    const email = `${"b".repeat(65)}@exemple.fr`;
    const renamed = { identifier: email, identifier_key: email };
    await platform.database.updateTable("account").set(renamed).where("uid", "=", uid).execute();
    const { status, token } = await signIn(platform, email);
    expect(status).toBe(200);
    const read = await platform.call(`GET /users/${uid}`, { token });
    expect(read.body.payload).toMatchObject({ email });
    const asked = { identifier: email };
    const reset = await platform.call("POST /reset-password/request", { body: asked });
    expect(reset.status).toBe(202);
    const notice = { name: "Ada Byron", email, date: "2026-12-24" };
    expect((await platform.call("POST /cancellations", { body: notice })).status).toBe(202);
    const link = { body: { email } };
    expect((await platform.call("POST /support/contact/auth-token/refresh", link)).status).toBe(
      202,
    );
  });

  it("signs in however the e-mail is written", async () => {
    const platform = await open();
    await newPerson(platform, "ada@exemple.fr");
    const { status, token } = await signIn(platform, "  Ada@EXEMPLE.fr ");
    expect(status).toBe(200);
    expect(claimsOf(token)).toMatchObject({ identifier: "ada@exemple.fr", acl: {} });
  });

  it("gives one answer for unknown and wrong credentials", async () => {
    const platform = await open();
    await newPerson(platform, "ada@exemple.fr");
    const wrong = { identifier: "ada@exemple.fr", password: "autre-chose" };
    const unknown = { identifier: "bob@exemple.fr", password: "autre-chose" };
    const first = await platform.call("POST /auth_check", { body: wrong });
    const second = await platform.call("POST /auth_check", { body: unknown });
    expect(first.status).toBe(401);
    expect(second).toMatchObject({ status: 401, body: first.body });
  });

  it("reveals to its owner only that it is blocked", async () => {
    const platform = await open();
    const { email, token } = await newPerson(platform);
    await platform.database.updateTable("account").set({ status: "blocked" }).execute();
    expect((await signIn(platform, email)).status).toBe(403);
    expect((await signIn(platform, email, "autre-chose")).status).toBe(401);
    expect((await platform.call("GET /subscriptions", { token })).status).toBe(401);
  });

  it("can be read by its owner only", async () => {
    const platform = await open();
    const ada = await newPerson(platform);
    const bob = await newPerson(platform);
    const read = (uid: string, token?: string) =>
      platform.call(`GET /users/${uid}`, token ? { token } : {});
    expect((await read(ada.uid, ada.token)).body.payload).toEqual({
      uid: ada.uid,
      email: ada.email,
      coachingUid: null,
    });
    expect((await read(ada.uid, bob.token)).status).toBe(404);
    expect((await read("nobody", bob.token)).status).toBe(404);
    expect((await read(ada.uid)).status).toBe(401);
  });

  it("keeps metadata as text, unknown keys included", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const body = { profile: { name: "Ada", favorites: ["article-1"] }, theme: { rising: "lion" } };
    platform.clock.advance(1000);
    const written = await platform.call(`PUT /users/${uid}/metadata`, { token, body });
    const again = await platform.reopen();
    const { payload } = (await again.call(`GET /users/${uid}/metadata`, { token })).body;
    expect(written.status).toBe(200);
    expect(JSON.parse(payload.data)).toEqual(body);
    expect(payload.modified).toBe(platform.clock.now().toISOString());
    expect(payload.modified > payload.date).toBe(true);
  });

  it.each([[["liste"]], ["texte"], [12], [null], [true]])(
    "refuses %j as metadata and keeps the old",
    async (body) => {
      const platform = await open();
      const { uid, token } = await newPerson(platform);
      const answer = await platform.call(`PUT /users/${uid}/metadata`, { token, body });
      expect(answer).toMatchObject({
        status: 400,
        body: { message: "metadata type is not correct" },
      });
      const { payload } = (await platform.call(`GET /users/${uid}/metadata`, { token })).body;
      expect(payload.data).toBe("{}");
    },
  );

  it("stores a favorite once, however often given", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const favorites = fc.array(fc.constantFrom("lune", "mars", "venus"), { maxLength: 1_000 });
    await fc.assert(
      fc.asyncProperty(favorites, async (given) => {
        const body = { profile: { name: "Zoé", favorites: given, sign: "lion" }, theme: {} };
        await platform.call(`PUT /users/${uid}/metadata`, { token, body });
        const { payload } = (await platform.call(`GET /users/${uid}/metadata`, { token })).body;
        const profile = { ...body.profile, favorites: [...new Set(given)] };
        expect(JSON.parse(payload.data)).toEqual({ ...body, profile });
      }),
      { numRuns: 20 },
    );
  });

  it("keeps what was written 120 times a minute, and refuses more", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const write = (step: number) =>
      platform.call(`PUT /users/${uid}/metadata`, { token, body: { step } });
    for (let step = 1; step <= 120; step++) expect((await write(step)).status).toBe(200);
    const refused = await write(121);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"]);
    const { payload } = (await platform.call(`GET /users/${uid}/metadata`, { token })).body;
    expect(JSON.parse(payload.data)).toEqual({ step: 120 });
    platform.clock.advance(60_000);
    expect((await write(122)).status).toBe(200);
  });

  it("protects its metadata from other accounts", async () => {
    const platform = await open();
    const ada = await newPerson(platform);
    const { token } = await newPerson(platform);
    const path = `/users/${ada.uid}/metadata`;
    expect((await platform.call(`GET ${path}`, { token })).status).toBe(404);
    expect((await platform.call(`PUT ${path}`, { token, body: { profile: {} } })).status).toBe(404);
  });
});

onEachDatabase("the profile of an account", (open) => {
  it("keeps its e-mail whatever is written", async () => {
    const platform = await open();
    const { uid, token, email } = await newPerson(platform);
    const other = "autre@exemple.fr";
    const names = { email: other, identifier: other, profile: { email: other } };
    const written = await platform.call(`PUT /users/${uid}/metadata`, { token, body: names });
    expect(written.status).toBe(200);
    for (const method of ["PUT", "PATCH", "POST"]) {
      const changed = await platform.call(`${method} /users/${uid}`, { token, body: names });
      expect([404, 405]).toContain(changed.status);
    }
    const { payload } = (await platform.call(`GET /users/${uid}`, { token })).body;
    expect(payload.email).toBe(email);
    expect((await signIn(platform, email)).status).toBe(200);
    expect((await signIn(platform, other)).status).toBe(401);
  });

  it("keeps keys of other programs unchanged", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const body = {
      profile: { name: "Zoé", phone: "0601", signs: { moon: ["bélier", null] } },
      other: { kept: 1 },
    };
    const written = await platform.call(`PUT /users/${uid}/metadata`, { token, body });
    expect(written.status).toBe(200);
    const read = await platform.call(`GET /users/${uid}/metadata`, { token });
    for (const { data } of [written.body.payload, read.body.payload]) {
      expect(JSON.parse(data)).toEqual(body);
    }
  });
});
