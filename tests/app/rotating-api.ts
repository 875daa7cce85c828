import { openLoopback } from "./loopback";
import { tokenOf } from "./people";

/** The only account of the API. */
export const ADA = { uid: "ada", email: "ada@exemple.fr", password: "une-orbite-paisible" };

const DAY = "2026-11-20";

const formula = { uid: "vip-mensuel", amount: 990, periodDuration: 1, periodDurationUnit: "month" };
const metadata = { data: "{}", date: DAY, modified: DAY };
const subscription = {
  formula: "vip-mensuel",
  amount: 990,
  trialAmount: null,
  credits: null,
  startedDateTime: DAY,
  expirationDateTime: DAY,
  cancelledDateTime: null,
  endedDateTime: null,
};

const payloads: Record<string, unknown> = {
  "GET /formulas/vip-mensuel": formula,
  "GET /users/ada": { uid: ADA.uid, email: ADA.email },
  "GET /users/ada/metadata": metadata,
  "PUT /users/ada/metadata": metadata,
  "GET /subscriptions": subscription,
  "GET /banking-service": { name: "Cap", url: "https://bank.example/" },
};

const lists = ["authors", "categories", "tags", "articles"]
  .map((name) => `GET /content/${name}`)
  .concat("GET /users/ada/sessions");
const page = { hasNextPage: false, endCursor: null };

export type RotatingApi = {
  url: string;
  /** Tokens issued so far, in order. */
  handedOut: string[];
  /** Calls of signed-in people so far, with their token. */
  calls: { line: string; token: string }[];
  close(): Promise<void>;
};

/** An external API that issues a new token with every answer to a signed-in person. */
export async function openRotatingApi(): Promise<RotatingApi> {
  const issuedTokens: string[] = [];
  const calls: RotatingApi["calls"] = [];
  const handOut = () => {
    const token = tokenOf(`token ${issuedTokens.length}`);
    issuedTokens.push(token);
    return token;
  };
  const server = await openLoopback(async (request) => {
    const line = `${request.method} ${new URL(request.url).pathname.replace(/^\/api/, "")}`;
    if (line === "POST /auth_check") return signIn(await request.json(), handOut);
    const bearer = request.headers.get("authorization");
    const token = bearer?.replace(/^Bearer /, "");
    if (token && !issuedTokens.includes(token))
      return Response.json({ message: "Non" }, { status: 401 });
    if (token) calls.push({ line, token });
    const headers: Record<string, string> = token ? { "next-token": handOut() } : {};
    if (lists.includes(line)) return Response.json({ payload: [], page }, { headers });
    const payload = payloads[line];
    if (!payload) return Response.json({ message: "Not found" }, { status: 404, headers });
    return Response.json({ payload }, { headers });
  });
  return { url: `${server.origin}/api`, handedOut: issuedTokens, calls, close: server.close };
}

function signIn(credentials: unknown, handOut: () => string): Response {
  const expected = JSON.stringify({ identifier: ADA.email, password: ADA.password });
  if (JSON.stringify(credentials) !== expected) {
    return Response.json({ message: "Non" }, { status: 401 });
  }
  return Response.json({ payload: { token: handOut() } });
}
