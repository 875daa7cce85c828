import type { Carrier, Outgoing } from "./carrier";

/** Sends one request, and gets its answer. */
export type Transport = (request: Request) => Promise<Response>;

/**
 * Carries calls as requests.
 * @param base `https://host/api`, without a final slash
 */
export const overHttp =
  (base: string, transport: Transport): Carrier =>
  async (outgoing) => {
    const response = await transport(requestOf(base, outgoing));
    const { status, headers } = response;
    return {
      status,
      nextToken: headers.get("next-token"),
      retryAfter: headers.get("retry-after"),
      readBody: async () => ({
        text: await response.text(),
        isJson: /\bjson\b/.test(headers.get("content-type") ?? ""),
      }),
    };
  };

function requestOf(base: string, outgoing: Outgoing): Request {
  const { endpoint, params, search, body, bearer, signal } = outgoing;
  const headers = new Headers({ accept: "application/json", ...outgoing.headers });
  if (endpoint.request.body) headers.set("content-type", "application/json");
  if (bearer) headers.set("authorization", `Bearer ${bearer}`);
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, key: string) =>
    encodeURIComponent(params[key] ?? ""),
  );
  const query = search.toString();
  return new Request(`${base}${path}${query && `?${query}`}`, {
    method: endpoint.method,
    headers,
    redirect: "follow",
    signal: signal(),
    ...(endpoint.request.body && { body: JSON.stringify(body) }),
  });
}
