import { inspect } from "node:util";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  BusyError,
  ConflictError,
  ForbiddenError,
  InvalidArgumentError,
  NotFoundError,
  OutOfBoundError,
  PaymentError,
  ProcessError,
  RateLimitError,
  RequestValidationError,
  ResponseValidationError,
  ServerError,
  UnauthorizedError,
  UnexpectedStatusError,
  ValidationError,
} from "~/api/errors";
import { busyViolation } from "~/contract/errors";
import { failureOf, json, scripted, type Step } from "./scripted";

const SECRET = "ne-doit-pas-sortir";
const violations = [{ property: "formula", message: "Unknown formula", type: "invalid" }];
const formula = {
  uid: "vip-mensuel",
  amount: 990,
  periodDuration: 1,
  periodDurationUnit: "month",
};

/** A write that declares every status of the catalogue but 403. */
const pay = (...steps: Step[]) =>
  scripted(steps).api.call("pay", {
    headers: { "idempotency-key": "0123456789" },
    body: {
      uid: "ada",
      firstname: "Ada",
      lastname: "Byron",
      formula: "vip-mensuel",
      creditCard: { number: "4242424242424242", month: 12, year: 2030, code: "123" },
    },
  });

const signIn = (...steps: Step[]) =>
  scripted(steps).api.call("checkAuth", { body: { identifier: "a", password: SECRET } });

const readFormula = (...steps: Step[]) =>
  scripted(steps).api.call("getFormula", { params: { uid: "vip-mensuel" } });

describe("the error catalogue", () => {
  it.each([
    [400, ValidationError, { message: "Non", violations }, "Validation failed by backend"],
    [400, InvalidArgumentError, { message: "Non" }, "Non"],
    [400, InvalidArgumentError, { message: "Non", violations: [] }, "Non"],
    [401, UnauthorizedError, { message: "Non" }, "Non"],
    [404, NotFoundError, { message: "Non" }, "Non"],
    [409, ConflictError, { message: "Non", violations }, "Conflict in request"],
    [409, ConflictError, { message: "Non", violations: [] }, "Non"],
    [409, ConflictError, { message: "Non" }, "Non"],
    [413, OutOfBoundError, { message: "Non" }, "Non"],
    [429, RateLimitError, { message: "Non" }, "Non"],
    [429, RateLimitError, { message: "Non", violations }, "Non"],
    [429, BusyError, { message: "Non", violations: [busyViolation("Non")] }, "Non"],
    [500, ServerError, { message: "Non" }, "Non"],
  ])("turns %i into its own %o", async (status, kind, body, message) => {
    const error = await failureOf(pay(json(status, body)));
    expect(error.constructor).toBe(kind);
    expect(error).toMatchObject({ name: kind.name, status, message, line: "POST /subscriptions" });
  });

  it.each([
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [404, NotFoundError],
    [409, ConflictError],
  ])("turns %i into its class where no endpoint declares it", async (status, kind) => {
    const { api } = scripted([json(status, { message: "Non" })]);
    const error = await failureOf(api.call("requestPasswordReset", { body: { identifier: "a" } }));
    expect(error).toBeInstanceOf(kind);
  });

  it.each([
    [401, UnauthorizedError],
    [403, ForbiddenError],
    [413, OutOfBoundError],
    [429, RateLimitError],
    [500, ServerError],
  ])("turns %i of a proxy's own page into its class", async (status, kind) => {
    const error = await failureOf(pay(new Response(`<h1>${SECRET}</h1>`, { status })));
    expect(error).toBeInstanceOf(kind);
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
  });

  it("turns 403 into a forbidden error", async () => {
    const error = await failureOf(signIn(json(403, { message: "Account blocked" })));
    expect(error).toBeInstanceOf(ForbiddenError);
    expect(error).toMatchObject({ status: 403, message: "Account blocked", level: 2 });
  });

  it("gives 401 the first level of support (R-6.2)", async () => {
    expect(await failureOf(signIn(json(401, { message: "Non" })))).toMatchObject({ level: 1 });
  });

  it.each([[400], [409]])("keeps the violations of a %i answer", async (status) => {
    const error = await failureOf(pay(json(status, { message: "Non", violations })));
    expect(error).toMatchObject({ violations });
  });

  it.each([["1100004PI2"], [undefined]])(
    "carries message and code %s of the bank",
    async (code) => {
      const failure = { payload: { status: "Failure", error: { message: "Refused", code } } };
      const error = await failureOf(pay(json(400, failure)));
      expect(error).toBeInstanceOf(PaymentError);
      expect(error).toMatchObject({ message: "Refused", code });
    },
  );

  it.each([
    ["120", 120],
    [undefined, undefined],
    ["0", 1],
    ["-30", 1],
    ["999999999999", 86_400],
    ["Fri, 20 Nov 2026 12:02:30 GMT", 150],
    ["Friday, 20-Nov-26 12:02:30 GMT", 150],
    ["Fri Nov 20 12:02:30 2026", 150],
    ["Fri, 20 Nov 2026 11:00:00 GMT", 1],
    ["Sat, 20 Nov 2027 12:00:00 GMT", 86_400],
    ["12.5", undefined],
    ["1e3", undefined],
    ["soon", undefined],
  ])("reads Retry-After %s as %s seconds", async (header, retryAfter) => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T12:00:00Z") });
    onTestFinished(() => void vi.useRealTimers());
    const headers: Record<string, string> = header === undefined ? {} : { "retry-after": header };
    const error = await failureOf(pay(json(429, { message: "Later" }, headers)));
    expect(error).toMatchObject({ retryAfter });
  });
});

describe("an answer outside the contract", () => {
  it.each([201, 204, 302, 408, 418, 425, 502, 503, 504])(
    "with status %i names what was expected",
    async (status) => {
      const error = await failureOf(pay(new Response(null, { status })));
      expect(error).toBeInstanceOf(UnexpectedStatusError);
      expect(error.message).toBe(`Response status ${status} not has expected, expected 200`);
    },
  );

  it("names the expected status of each endpoint", async () => {
    const error = await failureOf(
      scripted([json(200, {})]).api.call("register", {
        headers: {},
        body: { identifier: "ada@exemple.fr", formula: "vip-mensuel" },
      }),
    );
    expect(error.message).toBe("Response status 200 not has expected, expected 201");
  });

  it.each<[string, Response]>([
    ["the wrong content type", new Response(JSON.stringify({ payload: formula }))],
    ["no content type", new Response(new Blob([JSON.stringify({ payload: formula })]))],
    ["half a body", typed(`{"payload": {"uid": "${SECRET}`)],
    ["no body", typed("")],
    ["plain words", typed(SECRET)],
    ["a body of another kind", typed(`"${SECRET}"`)],
    ["a missing field", json(200, { payload: { ...formula, amount: undefined, name: SECRET } })],
    ["a value of another type", json(200, { payload: { ...formula, amount: SECRET } })],
  ])("with %s names endpoint but no value", async (_, answer) => {
    const error = await failureOf(readFormula(answer));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message).toMatch(/^GET \/formulas\/\{uid\}: /);
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
  });

  it("is reported with the path of its fault", async () => {
    const payload = { ...formula, amount: SECRET, periodDurationUnit: SECRET };
    const error = await failureOf(readFormula(json(200, { payload })));
    expect(error.message).toBe(
      "GET /formulas/{uid}: the answer does not fit at payload.amount, payload.periodDurationUnit",
    );
  });

  it.each<[string, Response]>([
    ["no body", new Response(null, { status: 404 })],
    ["a page", new Response(`<h1>${SECRET}</h1>`, { status: 404 })],
    ["another form", json(404, { error: SECRET })],
    ["a violation of unknown type", json(400, { message: SECRET, violations: [{ type: "x" }] })],
  ])("for an error with %s names endpoint and status", async (_, answer) => {
    const error = await failureOf(readFormula(answer));
    expect(error).toBeInstanceOf(ResponseValidationError);
    expect(error.message).toMatch(/^GET \/formulas\/\{uid\} answered 40\d without an error body$/);
    expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
  });

  it("is an outcome that a page can show", async () => {
    const attempt = (step: Step) =>
      scripted([step]).api.attempt("getFormula", { params: { uid: "vip-mensuel" } });
    const failed = (kind: string) => ({ ok: false, error: { kind } });
    expect(await attempt(new Response(null, { status: 418 }))).toMatchObject(
      failed("unexpectedStatus"),
    );
    expect(await attempt(json(200, {}))).toMatchObject(failed("responseValidation"));
    expect(await attempt(json(404, { message: "Non" }))).toMatchObject({ ok: false });
    expect(await attempt(json(200, { payload: formula }))).toEqual({
      ok: true,
      value: { payload: formula },
    });
  });
});

describe("a request outside the contract", () => {
  it("is refused before it is sent", async () => {
    const { api, sent } = scripted([]);
    const errors = await Promise.all([
      failureOf(api.call("getFormula", { params: { uid: `../${SECRET}` } })),
      failureOf(api.call("listArticles", { query: { length: 1000 } })),
      failureOf(api.call("checkAuth", { body: { identifier: "", password: SECRET } })),
      failureOf(api.call("subscribe", { headers: { "idempotency-key": SECRET + "é" }, body })),
    ]);
    expect(errors.map(({ message }) => message)).toEqual([
      "GET /formulas/{uid}: the request does not fit at params.uid",
      "GET /content/articles: the request does not fit at query.length",
      "POST /auth_check: the request does not fit at body.identifier",
      "POST /subscriptions/subscribe: the request does not fit at headers.idempotency-key",
    ]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(RequestValidationError);
      expect(inspect(error, { depth: 9 })).not.toContain(SECRET);
    }
    expect(sent).toEqual([]);
  });
});

describe("a transport that fails", () => {
  it("becomes a process error with its cause", async () => {
    const cause = new TypeError("fetch failed");
    const error = await failureOf(
      readFormula(() => {
        throw cause;
      }),
    );
    expect(error).toBeInstanceOf(ProcessError);
    expect(error).toMatchObject({ message: "GET /formulas/{uid}: no answer", cause });
  });

  it("is an outcome that an action can show", async () => {
    const { api } = scripted([() => Promise.reject(new Error("refused"))]);
    const outcome = await api.attempt("getBankingService", {});
    expect(outcome).toMatchObject({ ok: false, error: expect.any(ProcessError) });
  });
});

const body = { uid: "ada", formula: "vip-mensuel" };

function typed(text: string) {
  return new Response(text, { headers: { "content-type": "application/json" } });
}
