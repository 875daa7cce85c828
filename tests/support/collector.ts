import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod/v4";

const attribute = z.object({
  key: z.string(),
  value: z.union([
    z.object({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
    z.object({ intValue: z.coerce.number() }).transform(({ intValue }) => intValue),
  ]),
});
const attributes = z
  .array(attribute)
  .transform((list) => Object.fromEntries(list.map(({ key, value }) => [key, value])));

const span = z.object({
  traceId: z.string().regex(/^[\da-f]{32}$/),
  spanId: z.string().regex(/^[\da-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  status: z.object({ code: z.number() }),
});
export type ReceivedSpan = z.output<typeof span> & { resource: Record<string, string | number> };

/** `ExportTraceServiceRequest` of OTLP, as JSON. */
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

/** `refuses`: answers 401, and repeats what it was sent; `hangs`: never answers. */
type Mood = "takes" | "refuses" | "hangs";

/** A collector of traces: OTLP over HTTP, on a port of its own. */
export async function startCollector() {
  const bodies: string[] = [];
  const headers: IncomingHttpHeaders[] = [];
  let mood: Mood = "takes";
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    headers.push(request.headers);
    if (mood === "hangs") return;
    const body = Buffer.concat(chunks).toString();
    if (mood === "refuses" || request.url !== "/v1/traces") {
      response.writeHead(401).end(JSON.stringify(request.headers));
      return;
    }
    bodies.push(body);
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const spans = (): ReceivedSpan[] =>
    bodies.flatMap((body) =>
      exported
        .parse(JSON.parse(body))
        .resourceSpans.flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap((scope) =>
            scope.spans.map((one) => ({ ...one, resource: resource.attributes })),
          ),
        ),
    );
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** All that it took, as it came. */
    text: () => bodies.join("\n"),
    /** Headers of all that came, taken or not. */
    headers: () => headers,
    spans,
    become(next: Mood) {
      mood = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Collector = Awaited<ReturnType<typeof startCollector>>;
