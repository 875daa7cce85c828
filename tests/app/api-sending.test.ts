import { afterEach, describe, expect, it, vi } from "vitest";
import { createApi } from "~/api/client";
import { ProcessError, RateLimitError, ServerError, UnexpectedStatusError } from "~/api/errors";
import { overHttp } from "~/api/over-http";
import { openTimeBudget } from "~/api/time-budget";
import { REQUEST_TIMEOUT_MS } from "~/contract/limits";
import { openLoopback, openServer, type Loopback } from "./loopback";
import { failureOf, json, scripted } from "./scripted";

const service = () => json(200, { payload: { name: "Cap", url: "https://bank.example/" } });
const refusal = (status: number, headers = {}) => json(status, { message: "Non" }, headers);
const credentials = { body: { identifier: "ada@exemple.fr", password: "secret" } };

describe("a call that is sent", () => {
  it("carries a bearer only when there is one", async () => {
    const tokens = [undefined, "jeton"];
    const { api, sent } = scripted([service(), service()], { bearer: () => tokens.shift() });
    await api.call("getBankingService", {});
    await api.call("getBankingService", {});
    const headers = sent.map((request) => request.headers.get("authorization"));
    expect(headers).toEqual([null, "Bearer jeton"]);
  });

  it("sends JSON with its headers and nothing else", async () => {
    const answer = json(200, { payload: { status: "Success" } });
    const { api, sent } = scripted([answer]);
    const body = { uid: "ada", formula: "vip-mensuel" };
    await api.call("subscribe", { headers: { "idempotency-key": "0123456789" }, body });
    expect(sent[0]?.method).toBe("POST");
    expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual({
      accept: "application/json",
      "content-type": "application/json",
      "idempotency-key": "0123456789",
    });
    expect(await sent[0]?.json()).toEqual(body);
  });

  it("encodes parameters and query in the URL", async () => {
    const { api, sent } = scripted([refusal(404), refusal(404)]);
    await failureOf(api.call("getFormula", { params: { uid: "a_b-c" } }));
    await failureOf(
      api.call("listArticles", { query: { ids: ["a", "b"], sort: { date: "desc" } } }),
    );
    expect(sent.map(({ url }) => url)).toEqual([
      "https://cap.example/api/formulas/a_b-c",
      "https://cap.example/api/content/articles?ids=a&ids=b&sort%5Bdate%5D=desc",
    ]);
  });

  it("answers null where no body is declared", async () => {
    const { api } = scripted([new Response(null, { status: 202 })]);
    const body = { identifier: "ada@exemple.fr" };
    expect(await api.call("requestPasswordReset", { body })).toBeNull();
  });
});

describe("a retry", () => {
  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    "repeats a read once after %i",
    async (status) => {
      const { api, sent } = scripted([refusal(status), service()]);
      await api.call("getBankingService", {});
      expect(sent).toHaveLength(2);
    },
  );

  it("happens once, then the failure is reported", async () => {
    const { api, sent } = scripted([refusal(500), refusal(429), service()]);
    expect(await failureOf(api.call("getBankingService", {}))).toBeInstanceOf(RateLimitError);
    expect(sent).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 410, 413, 418, 501])(
    "never repeats a read after %i",
    async (status) => {
      const { api, sent } = scripted([refusal(status), service()]);
      await failureOf(api.call("getBankingService", {}));
      expect(sent).toHaveLength(1);
    },
  );

  it.each([408, 409, 425, 429, 500, 502, 503, 504])(
    "never repeats a write after %i",
    async (status) => {
      const writes = [scripted([refusal(status)]), scripted([refusal(status)])] as const;
      await failureOf(writes[0].api.call("checkAuth", credentials));
      await failureOf(
        writes[1].api.call("setMetadata", { params: { uid: "ada" }, headers: {}, body: {} }),
      );
      expect(writes.map(({ sent }) => sent.length)).toEqual([1, 1]);
    },
  );

  it("carries the new token of the first answer", async () => {
    let token = "ancien";
    const { api, sent } = scripted([refusal(503, { "next-token": "nouveau" }), service()], {
      bearer: () => token,
      onNextToken: (next) => void (token = next),
    });
    await api.call("getBankingService", {});
    const bearers = sent.map((request) => request.headers.get("authorization"));
    expect(bearers).toEqual(["Bearer ancien", "Bearer nouveau"]);
  });

  it("reads every response body completely", async () => {
    const first = refusal(503);
    const { api } = scripted([first, service()]);
    await api.call("getBankingService", {});
    expect(first.bodyUsed).toBe(true);
  });
});

describe("a new token", () => {
  it.each([200, 400, 401, 404, 409, 418, 429, 500])("arrives with an answer %i", async (status) => {
    const tokens: string[] = [];
    const answer = () => refusal(status, { "next-token": "nouveau" });
    const { api } = scripted([answer(), answer()], {
      onNextToken: (token) => void tokens.push(token),
    });
    await failureOf(api.call("checkAuth", credentials));
    expect(tokens).toEqual(["nouveau"]);
  });

  it("is stored before the call ends", async () => {
    let connected = false;
    const { api } = scripted([json(202, null, { "next-token": "nouveau" })], {
      onNextToken: async () => {
        await Promise.resolve();
        connected = true;
      },
    });
    await api.call("requestPasswordReset", { body: { identifier: "ada@exemple.fr" } });
    expect(connected).toBe(true);
  });
});

describe("a refused bearer", () => {
  const refused = (bearer: string | undefined) => {
    const told: string[] = [];
    const script = scripted([refusal(401)], {
      bearer: () => bearer,
      onUnauthorized: async () => void told.push("told"),
    });
    return { ...script, told };
  };

  it("is reported where authorization is needed", async () => {
    const { api, told } = refused("jeton");
    await failureOf(api.call("getSubscription", {}));
    expect(told).toHaveLength(1);
  });

  it("is not reported without a bearer token", async () => {
    const { api, told } = refused(undefined);
    await failureOf(api.call("getSubscription", {}));
    expect(told).toEqual([]);
  });

  it("is not reported for wrong credentials", async () => {
    const { api, told } = refused("jeton");
    await failureOf(api.call("checkAuth", credentials));
    expect(told).toEqual([]);
  });

  it("may leave the page with a redirect", async () => {
    const { api } = scripted([refusal(401)], {
      bearer: () => "jeton",
      onUnauthorized: () => Promise.reject(new Error("redirect")),
    });
    await expect(api.attempt("getSubscription", {})).rejects.toThrow("redirect");
  });
});

describe("the time limit", () => {
  const timeoutMs = 30;

  it("ends a call that is never answered", async () => {
    const { api, sent } = scripted([() => new Promise<Response>(() => {})], { timeoutMs });
    const error = await failureOf(api.call("getBankingService", {}));
    expect(error).toBeInstanceOf(ProcessError);
    expect(error.message).toBe("GET /banking-service: no answer");
    expect(sent[0]?.signal.aborted).toBe(true);
  });

  it("ends a body that never comes to an end", async () => {
    const body = new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) });
    const headers = { "content-type": "application/json" };
    const { api } = scripted([new Response(body, { headers })], { timeoutMs });
    expect(await failureOf(api.call("getBankingService", {}))).toBeInstanceOf(ProcessError);
  });

  it("ends with the call that it is for", async () => {
    vi.useFakeTimers();
    try {
      const { api } = scripted([service, () => refusal(404)]);
      await api.call("getBankingService", {});
      await api.attempt("getBankingService", {});
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it("keeps the token of an answer cut off", async () => {
    const tokens: string[] = [];
    const headers = { "next-token": "nouveau" };
    const { api } = scripted([new Response(new ReadableStream(), { headers })], {
      timeoutMs,
      onNextToken: (token) => void tokens.push(token),
    });
    await failureOf(api.call("getBankingService", {}));
    expect(tokens).toEqual(["nouveau"]);
  });
});

describe("the time that calls of a page share", () => {
  afterEach(() => vi.restoreAllMocks());

  /** An API each of whose answers takes so long, by a clock of its own. The limits of its calls are kept. */
  function slow(seconds: number, answer: () => Response) {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    const limits = vi.spyOn(globalThis, "setTimeout");
    const steps = Array.from({ length: 6 }, () => () => {
      now += seconds * 1_000;
      return answer();
    });
    const { api, sent } = scripted(steps, { timeLeft: openTimeBudget().left });
    return { api, sent, limits: () => limits.mock.calls.map(([, ms]) => ms) };
  }

  it("leaves each call what those before it left", async () => {
    const { api, limits } = slow(8, service);
    for (let calls = 0; calls < 4; calls++) await api.call("getBankingService", {});
    expect(limits()).toEqual([20_000, 12_000, 4_000, 1_000]);
  });

  it("leaves a write enough to hear what became of it", async () => {
    const { api, limits } = slow(30, () => new Response(null, { status: 202 }));
    for (let calls = 0; calls < 2; calls++) {
      await api.call("requestPasswordReset", { body: { identifier: "ada@exemple.fr" } });
    }
    expect(limits()).toEqual([20_000, 5_000]);
  });

  it("is not spent again on a second try", async () => {
    const { api, sent } = slow(12, () => refusal(503));
    await failureOf(api.call("getBankingService", {}));
    expect(sent).toHaveLength(2);
    await failureOf(api.call("getBankingService", {}));
    expect(sent).toHaveLength(3);
  });
});

describe("over HTTP", () => {
  let server: Loopback | undefined;
  afterEach(() => server?.close());

  const client = async (open: Promise<Loopback>, timeoutMs = REQUEST_TIMEOUT_MS) => {
    server = await open;
    const carrier = overHttp(`${server.origin}/api`, (request) => fetch(request));
    return createApi({ carrier, bearer: () => "jeton", onNextToken: () => {}, timeoutMs });
  };

  it("follows redirects with the bearer", async () => {
    const api = await client(
      openLoopback((request) => {
        const moved = new URL("/ailleurs", request.url);
        if (new URL(request.url).pathname !== moved.pathname) return Response.redirect(moved, 307);
        return request.headers.get("authorization") === "Bearer jeton" ? service() : refusal(404);
      }),
    );
    expect((await api.call("getBankingService", {})).payload.name).toBe("Cap");
  });

  it("ends when the server never answers", async () => {
    const api = await client(
      openLoopback(() => new Promise<Response>(() => {})),
      100,
    );
    expect(await failureOf(api.call("getBankingService", {}))).toBeInstanceOf(ProcessError);
  });

  it("reports a server that is unreachable", async () => {
    const api = await client(openLoopback(service));
    await server?.close();
    expect(await failureOf(api.call("getBankingService", {}))).toBeInstanceOf(ProcessError);
  });

  it("reports an answer that breaks off", async () => {
    const breakOff = openServer((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"payload":', () => response.destroy());
    });
    const api = await client(breakOff);
    expect(await failureOf(api.call("getBankingService", {}))).toBeInstanceOf(ProcessError);
  });

  it("succeeds on the retry after one 502", async () => {
    let calls = 0;
    const api = await client(openLoopback(() => (++calls === 1 ? refusal(502) : service())));
    expect((await api.call("getBankingService", {})).payload.name).toBe("Cap");
    expect(calls).toBe(2);
  });

  it("reports a second failure by its status", async () => {
    const failures = [500, 502].map(async (status) => {
      const { api } = scripted([refusal(status), refusal(status)]);
      return failureOf(api.call("getBankingService", {}));
    });
    const [internal, gateway] = await Promise.all(failures);
    expect(internal).toBeInstanceOf(ServerError);
    expect(gateway).toBeInstanceOf(UnexpectedStatusError);
  });
});
