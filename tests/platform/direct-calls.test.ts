import fc from "fast-check";
import { expect, it } from "vitest";
import { toEmbedded } from "~/api/embedded.server";
import { createApi } from "~/api/client";
import type { Endpoint } from "~/contract/endpoint";
import { endpoints, type EndpointName } from "~/contract/endpoints";
import { jsonStream } from "~/contract/json-pieces.server";
import { familiar, uidsBelow, type Place } from "../hostile/familiar";
import { arbitraryOf } from "../hostile/from-schema";
import { pairsOf } from "../hostile/pairs";
import type { Pairs } from "../hostile/request";
import { hostileQuery, hostileValue } from "../hostile/values";
import { onEachDatabase, ORIGIN, type TestPlatform } from "../support/platform";
import { newCoach } from "./desk";
import { CARDS, newPerson, payWith } from "./funnel";

const ALL = Object.entries<Endpoint>(endpoints) as [EndpointName, Endpoint][];
const READS = ALL.filter(([, { method }]) => method === "GET");
// Over HTTP, `createTicket` for contact requests is `createContactTicket`.
const WRITES = ALL.filter(([name, { request }]) => request.body && name !== "createTicket");

/** A generated call. Its texts hold placeholders of people and tickets. */
type Sent = {
  name: EndpointName;
  from: "nobody" | "reader" | "coach" | "unknown";
  params: Record<string, string>;
  query: Pairs;
  headers: Record<string, string>;
  body?: unknown;
};

const sentTo = ([name, endpoint]: [EndpointName, Endpoint]): fc.Arbitrary<Sent> =>
  fc.record(
    {
      name: fc.constant(name),
      from: fc.constantFrom("nobody", "reader", "reader", "coach", "unknown"),
      params: fc.record(paramsOf(endpoint)),
      query: queryOf(endpoint),
      headers: headersOf(endpoint),
      body: endpoint.request.body ? hostileValue : fc.constant(undefined),
    },
    { noNullPrototype: true },
  );

function paramsOf({ path, request }: Endpoint): Record<string, fc.Arbitrary<string>> {
  const usual = uidsBelow.find(([start]) => path.startsWith(start))?.[1];
  return Object.fromEntries(
    Object.entries(request.params?.shape ?? {}).map(([param, schema]) => {
      const valid = param === "uid" && usual ? usual : arbitraryOf(schema, familiar).map(String);
      const value = fc.oneof({ weight: 7, arbitrary: valid }, hostileQuery);
      return [param, value.filter(isOnePart)];
    }),
  );
}

/** A path cannot hold the others: they name another path, or none. */
const isOnePart = (text: string) => !["", ".", ".."].includes(text) && !/\p{Surrogate}/u.test(text);

const queryOf = ({ request }: Endpoint): fc.Arbitrary<Pairs> =>
  request.query ? arbitraryOf(request.query, familiar).map(pairsOf) : fc.constant([]);

const headersOf = ({ request }: Endpoint): fc.Arbitrary<Record<string, string>> =>
  request.headers
    ? arbitraryOf(request.headers, familiar).map((headers) =>
        Object.fromEntries(Object.entries(headers ?? {}).map(([key, one]) => [key, String(one)])),
      )
    : fc.constant({});

/** A platform with a subscriber who wrote to a coach. */
async function openPeopled(platform: TestPlatform) {
  const reader = await newPerson(platform);
  await payWith(platform, reader, CARDS.success);
  await platform.runDueJobs();
  const coach = await newCoach(platform);
  const discussion = await platform.call("POST /support/coaching/tickets", {
    token: reader.token,
    headers: { "idempotency-key": crypto.randomUUID() },
    body: { title: "Mon thème", message: "Bonjour" },
  });
  const places: Partial<Record<Place, string>> = {
    own: reader.uid,
    ownEmail: reader.email,
    ownDiscussion: discussion.body.payload.uid,
    other: coach.uid,
    otherEmail: coach.email,
    ownSession: "current",
  };
  const fill = <T>(value: T): T =>
    JSON.parse(
      JSON.stringify(value).replace(/~(\w+)~/g, (whole, name: Place) => places[name] ?? whole),
    ) as T;
  const tokens = { nobody: undefined, unknown: "a".repeat(40), ...tokensOf({ reader, coach }) };
  return { fill, tokens };
}

const tokensOf = (people: Record<"reader" | "coach", { token: string }>) => ({
  reader: people.reader.token,
  coach: people.coach.token,
});

type Peopled = Awaited<ReturnType<typeof openPeopled>>;

/** The answers to one call over HTTP and from within the process. */
async function answersTo(platform: TestPlatform, { fill, tokens }: Peopled, generated: Sent) {
  const { name, from, params, query, headers, body } = { ...generated, ...fill(generated) };
  const { method, path, request } = endpoints[name] as Endpoint;
  const token = tokens[from];
  const search = new URLSearchParams(query.map(([key, value]) => [key, value]));
  const filled = path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const over = await platform.call(`${method} ${filled}?${search.toString()}`, {
    ...(token && { token }),
    ...(request.body && { body }),
    headers,
  });
  const direct = await platform.answer({
    name,
    params,
    search,
    headers,
    body,
    sender: async () => (token ? platform.authenticate(token) : null),
    origin: ORIGIN,
    clientAddress: undefined,
    clientAgent: undefined,
  });
  const { status } = over;
  return {
    over: { status, body: over.body, renewed: over.headers.has("next-token") },
    direct: {
      status: direct.status,
      body: direct.body === undefined ? "" : await jsonOf(direct.body),
      renewed: "next-token" in direct.headers,
    },
  };
}

/** An export holds lists that are read while it is written. */
async function jsonOf(body: unknown): Promise<unknown> {
  return new Response(jsonStream(body, { onBroken: (fault) => expect.fail(String(fault)) })).json();
}

onEachDatabase("a call from within the process", (open) => {
  it("reads what is read over HTTP", async () => {
    const platform = await open();
    const people = await openPeopled(platform);
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(fc.oneof(...READS.map(sentTo)), async (sent) => {
        const { over, direct } = await answersTo(platform, people, sent);
        seen.add(over.status);
        expect(direct).toEqual(over);
      }),
      { numRuns: 600 },
    );
    expect([...seen]).toEqual(expect.arrayContaining([200, 400, 401, 404]));
  });

  it("refuses bodies that are refused over HTTP, in the same words", async () => {
    const platform = await open();
    const people = await openPeopled(platform);
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(...WRITES.map(sentTo)), async (sent) => {
        const { over, direct } = await answersTo(platform, people, sent);
        if (over.status !== 400) return;
        refused++;
        expect(direct).toEqual(over);
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it("finds its sender once per page and after writes", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    let found = 0;
    const counting = {
      answer: platform.answer,
      authenticate: async (bearer: string) => {
        found++;
        return platform.authenticate(bearer);
      },
    };
    const senders = new Map();
    const carrier = toEmbedded({ platform: async () => counting, origin: ORIGIN, senders });
    const api = createApi({ carrier, bearer: () => token, onNextToken: () => {} });
    const params = { uid };
    await Promise.all([api.call("getUser", { params }), api.call("getMetadata", { params })]);
    await api.call("getUser", { params });
    expect(found).toBe(1);
    await api.call("setMetadata", { params, headers: {}, body: { profile: { name: "Zoé" } } });
    expect(found).toBe(2);
    expect(await api.attempt("getUser", { params })).toMatchObject({ ok: true });
    expect(found).toBe(3);
  });

  it("of somebody whose session ended is refused", async () => {
    const platform = await open();
    const { uid, token } = await newPerson(platform);
    const carrier = toEmbedded({ platform: async () => platform, origin: ORIGIN });
    const api = createApi({ carrier, bearer: () => token, onNextToken: () => {} });
    const params = { uid };
    expect(await api.attempt("getUser", { params })).toMatchObject({ ok: true });
    await api.call("endSession", { params: { uid, session: "current" } });
    expect(await api.attempt("getUser", { params })).toMatchObject({
      ok: false,
      error: { kind: "unauthorized" },
    });
  });
});
