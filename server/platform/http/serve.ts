import { Hono } from "hono";
import { CLIENT_ADDRESS, CLIENT_AGENT } from "../../../app/contract/client-headers";
import { jsonStream } from "../../../app/contract/json-pieces.server";
import type { Endpoint } from "../../../app/contract/endpoint";
import { endpoints, type EndpointName } from "../../../app/contract/endpoints";
import {
  answerCall,
  refuse,
  refuseError,
  type Answered,
  type AnswerOptions,
  type Sent,
} from "./answer";
import { readBody, readJson } from "./decode";
import { notFound } from "./refusal";
import type { Authenticate } from "./types";
import { jsonAnswer } from "../../whole-body";

/** Answers that hold lists which are read while they are written. */
const IN_PIECES: ReadonlySet<EndpointName> = new Set<EndpointName>(["exportUser"]);
const JSON_TYPE = { "content-type": "application/json" };

type Options = AnswerOptions & { authenticate: Authenticate };

/** Serves each call of the contract over HTTP. */
export function serveApi(options: Options): Hono {
  const app = new Hono();
  for (const name of Object.keys(options.handlers)) {
    if (!isEndpoint(name)) continue;
    const endpoint: Endpoint = endpoints[name];
    const path = `/api${endpoint.path.replace(/\{(\w+)\}/g, ":$1")}`;
    app.on(endpoint.method, path, async ({ req }) => {
      const sent = sentBy(req.raw, req.param(), options.authenticate);
      const answered = await answerCall(name, sent, options);
      if (!IN_PIECES.has(name) || answered.status !== 200) return responseOf(answered);
      const onBroken = (error: unknown) =>
        options.log.error({ err: error, line: `GET ${endpoint.path}` }, "answer broken off");
      return new Response(jsonStream(answered.body, { onBroken }), {
        headers: { ...JSON_TYPE, ...answered.headers },
      });
    });
  }
  app.notFound(({ req }) =>
    responseOf(refuse(notFound(`Unknown call: ${req.method} ${req.path}`))),
  );
  app.onError((error, { req }) =>
    responseOf(refuseError(error, `${req.method} ${req.path}`, options)),
  );
  return app;
}

function sentBy(
  request: Request,
  params: Record<string, string>,
  authenticate: Authenticate,
): Sent {
  const { headers } = request;
  const { searchParams, origin } = new URL(request.url);
  const [, token] = /^Bearer (\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  return {
    params,
    search: searchParams,
    headers: () => Object.fromEntries(headers),
    readBody: async ({ body }, limits) => {
      // These have no body, and looking for one would first build the whole `Request`.
      if (request.method === "GET" || request.method === "HEAD") return undefined;
      return body ? readJson(request, limits) : void (await readBody(request, limits.bytes));
    },
    sender: async () => (token ? authenticate(token) : null),
    origin,
    clientAddress: headers.get(CLIENT_ADDRESS),
    clientAgent: headers.get(CLIENT_AGENT),
  };
}

const responseOf = ({ status, headers, body }: Answered) =>
  body === undefined
    ? new Response(null, { status, headers })
    : jsonAnswer(body, { status, headers });

function isEndpoint(name: string): name is EndpointName {
  return name in endpoints;
}
