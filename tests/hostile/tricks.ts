import fc from "fast-check";
import { CONTROL_NAMES, hostileQuery, MARKER } from "./values";
import { encodePart, type RawRequest, type SentRequest } from "./request";

type Trick = (request: SentRequest) => SentRequest;

const METHODS = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "DELETE",
  "PATCH",
  "OPTIONS",
  "TRACE",
  "PROPFIND",
  "MKCOL",
  "PURGE",
  "QUERY",
  "LOCK",
  "SEARCH",
];

/** Parts of a path that servers, proxies and routers read differently. */
const PATH_PARTS = [
  "%2F",
  "%2f..%2f",
  "%5C",
  "\\",
  "//",
  "/./",
  "/../",
  "/..;/",
  ";a=b",
  ".",
  "..",
  "%2e%2e/",
  "%00",
  "%0A",
  "%0a%0d",
  "%0d%0aX: y",
  "%09",
  "%20",
  "%25",
  "%2500",
  "%252e%252e%252f",
  "%",
  "%zz",
  "%u0041",
  "%c0%af",
  "%ff",
  "%ed%a0%80",
  "%f0%9f%8c%99",
  "é",
  "*",
  "~",
  ":",
  "@",
  "/__manifest",
  ".data",
  "_root.data",
  "/_root.data",
  ".data.data",
  "index.html",
  "?",
  "&",
  encodeURIComponent(MARKER),
  encodeURIComponent("\u202e"),
  "a".repeat(2_049),
  `/${"a/".repeat(1_500)}`,
  "%41".repeat(2_000),
  "..%2f".repeat(500),
];

const QUERIES = [
  "_data=root",
  "%5Fdata=root",
  "_%64ata=root",
  "_data=routes/login/route",
  "_data=__proto__",
  "_routes=root",
  "_routes=",
  "_routes=routes/account/route,root",
  "index",
  "index=",
  "_data=&_data=",
  "?",
  "&&&",
  "=",
  "%",
  "%zz=%zz",
  "a[b][c]=d",
  "__proto__[x]=1",
  "sort[__proto__]=asc",
  "sort[date]=asc&sort=1",
  "constructor=1",
  "t=%00",
  "after=a&after=b",
  "length=-1",
  "length=1&length=2",
  "%00=1",
  "returnTo=//mal.example",
  "returnTo=//mal%2Eexample",
  "returnTo=/account%0d%0aX:y",
  "carried=1",
  "worn&sent",
  "success=1",
  `returnTo=${encodeURIComponent(MARKER)}`,
];

const HEADERS: [string, readonly string[]][] = [
  [
    "content-type",
    [
      "",
      "text/plain",
      "application/json",
      "APPLICATION/JSON; charset=utf-16",
      "text/html",
      "application/x-www-form-urlencoded",
      "multipart/form-data",
      "application/xml",
      "a/b;;;=",
      "multipart/form-data; boundary=",
      `multipart/form-data; boundary=${"a".repeat(300)}`,
      "application/json; charset=utf-7",
      "application/jsonp",
      "image/png",
      "\u00e9/\u00e9",
    ],
  ],
  ["accept", ["*/*", "application/json", "text/event-stream", "", ",,,;q=", "a".repeat(5_000)]],
  ["accept-encoding", ["br;q=NaN", "gzip;q=0, *", "identity;q=0", ",".repeat(3_000), "br", "zstd"]],
  ["accept-language", ["fr;q=2", "*", "x".repeat(4_000), "-", "fr-".repeat(500), "__proto__"]],
  ["origin", ["", "null", "https://mal.example", "http://", "not an origin", "http://xn--"]],
  ["sec-fetch-site", ["cross-site", "same-origin", "", "none"]],
  ["referer", ["", "https://mal.example/", "not a url", "http://xn--"]],
  [
    "authorization",
    ["", "Bearer", "Bearer ", "Bearer a.b.c", "Basic YTpi", "Bearer é", "Contact a"],
  ],
  ["support-authorization", ["", "Contact", "Contact a", `Contact ${"a".repeat(595)}`, MARKER]],
  [
    "cookie",
    ["cap_session=", "cap_session=a.b.c.d.e", "cap_session=%00; a", ";;;", "a".repeat(9_000)],
  ],
  ["idempotency-key", ["", "short", "a".repeat(129), "with space here", "__proto__", "ééééééééé"]],
  ["if-none-match", ["*", `W/"`, `"a", "b"`, ",".repeat(2_000)]],
  ["range", ["bytes=0-0", "bytes=-1", "bytes=9-1", "lines=1-2"]],
  ["x-forwarded-host", ["mal.example", "", "xn--", "a b", "localhost:99999", "a@b", "[::1"]],
  ["x-forwarded-proto", ["https", "javascript", "", "https,http", "é"]],
  ["x-request-id", ["", "a".repeat(65), "../../..", MARKER]],
  ["x-client-address", ["127.0.0.1", "", "not an address", "::1"]],
  ["x-client-agent", [MARKER, "a".repeat(5_000)]],
  ["user-agent", ["", MARKER, "a".repeat(5_000), "Mozilla/5.0 (((((((((("]],
  [
    "host",
    [
      "a.".repeat(2_500) + "b",
      "",
      "xn--",
      "mal.example",
      "localhost:",
      "localhost:99999",
      "a b",
      "[::1",
      "@",
      "a/b",
    ],
  ],
  ["expect", ["100-continue"]],
  ["x-http-method-override", ["DELETE", "TRACE"]],
  ["next-action", ["x"]],
  ["x-remix-response", ["yes"]],
];

const method = fc.constantFrom(...METHODS).map((name): Trick => (request) => ({
  ...request,
  method: name,
}));

const path = fc
  .tuple(fc.constantFrom(...PATH_PARTS), fc.nat(60))
  .map(([part, at]): Trick => (request) => {
    const [whole = "", ...query] = request.path.split("?");
    // A part is never put inside a placeholder.
    const spots = [...whole.matchAll(/\/|$/g)].map(({ index }) => index);
    const spot = spots[at % spots.length] ?? 0;
    const changed = (whole.slice(0, spot) || "/") + part + whole.slice(spot);
    return { ...request, path: [changed, ...query].join("?") };
  });

const data: fc.Arbitrary<Trick> = fc.constant((request) => ({
  ...request,
  path: request.path.replace(/(?=\?|$)/, ".data"),
}));

/** Spellings of the host, and origins of which some are the same host to a browser. */
const HOST_SPELLINGS = [
  "localhost",
  "LOCALHOST",
  "localhost:80",
  "LocalHost:080",
  "127.1",
  "[::01]",
];
const ORIGINS = [
  "http://localhost",
  "http://LOCALHOST:80",
  "http://127.0.0.1",
  "http://[::1]",
  "http://mal.example",
  "null",
  "garbage",
];

/** Checks of the host and of the router differ only where method, form of the page, host and origin meet. */
const origin: fc.Arbitrary<Trick> = fc
  .record({
    method: fc.constantFrom("HEAD", "GET", "POST"),
    asData: fc.boolean(),
    host: fc.constantFrom(...HOST_SPELLINGS),
    origin: fc.constantFrom(...ORIGINS),
  })
  .map(({ method, asData, host, origin }): Trick => (request) => ({
    ...request,
    method,
    path: asData ? request.path.replace(/(?=\?|$)/, ".data") : request.path,
    headers: { ...request.headers, host, origin },
  }));

const query = fc
  .oneof(
    fc.constantFrom(...QUERIES),
    fc
      .tuple(fc.constantFrom(...CONTROL_NAMES), hostileQuery)
      .map(([name, value]) => `${encodePart(name)}=${encodePart(value)}`),
    fc.constantFrom(101, 1_500).map((count) => "a=1&".repeat(count)),
    fc.constantFrom(101, 1_200).map(manyKeys),
  )
  .map((more): Trick => (request) => ({
    ...request,
    path: `${request.path}${request.path.includes("?") ? "&" : "?"}${more}`,
  }));

const header = fc
  .constantFrom(...HEADERS)
  .chain(([name, values]) => fc.tuple(fc.constant(name), fc.constantFrom(...values)))
  .map(([name, value]): Trick => (request) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  }));

const body = fc
  .constantFrom<Partial<SentRequest>>(
    ...["", "null", '""', "[]", "{", '{"a":', "{}x", "\ufeff{}", "{'a':1}", "NaN", "\0"].map(
      (text) => ({ body: text }),
    ),
    { body: "[".repeat(20_000) + "]".repeat(20_000) },
    { body: '{"a":'.repeat(5_000) + "1" + "}".repeat(5_000) },
    { body: "\u00ff\u00fe\u00c3\u0028", encoding: "latin1" },
    { body: '{"message":"\u00ed\u00a0\u0080"}', encoding: "latin1" },
    { body: "a&".repeat(40_000) },
    { body: "a=1&".repeat(101) },
    { body: `${"a.".repeat(2_000)}=1` },
    { body: `a${"[0]".repeat(2_000)}=1` },
    { body: "%".repeat(3_000) },
    { body: "a".repeat(1024 * 1024 + 1) },
    { body: " ".repeat(500_000) },
  )
  .map((changed): Trick => (request) => ({ ...request, ...changed }));

/** Changes one thing in a request. */
export const trick: fc.Arbitrary<Trick> = fc.oneof(
  { weight: 2, arbitrary: method },
  { weight: 3, arbitrary: path },
  { weight: 2, arbitrary: data },
  { weight: 2, arbitrary: origin },
  { weight: 2, arbitrary: query },
  { weight: 5, arbitrary: header },
  { weight: 2, arbitrary: body },
);

function manyKeys(count: number) {
  return Array.from({ length: count }, (_, index) => `k${index}=1`).join("&");
}

const HOSTS = [
  "localhost",
  "",
  "xn--",
  "a b",
  "localhost:99999",
  "[::1",
  "localhost/a",
  "a@localhost",
];
const TARGETS = [
  "/",
  "*",
  "login",
  "http://localhost/login",
  "http://a:b@localhost/login",
  "http://xn--/",
  "http://mal.example/api/formulas/vip-mensuel",
  "http://localhost:99999/",
  "https:///login",
  "//mal.example/login",
  "//mal%2Eexample/login",
  "/\\mal.example",
  "/%",
  "/api/%0A",
  "/login#a",
  "/login?#",
  "http://",
  "/é",
  "/\u00ff",
  "/api/support/contact/tickets/%00",
  `/${"a".repeat(17_000)}`,
  "localhost:443",
];
const LINES = [
  "Content-Length: -1",
  "Content-Length: 5, 5",
  "Content-Length: 1e3",
  "Content-Length: 0x1",
  "Transfer-Encoding: chunked\r\nContent-Length: 3",
  "Transfer-Encoding: gzip",
  "Expect: 200",
  "Transfer-Encoding: chunked",
  "No colon",
  " Folded: yes",
  "Host: second",
  "Upgrade: websocket",
  `X: ${"a".repeat(20_000)}`,
  "X: \0",
  "X\0: a",
  ": empty",
  "Connection: upgrade\r\nUpgrade: h2c",
  ...Array.from({ length: 3 }, (_, index) => `X-${index}: a\r\n`.repeat(900).trim()),
];
const VERSIONS = ["HTTP/1.1", "HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "http/1.1", ""];
const BODIES = [
  "",
  "0\r\n\r\n",
  "3\r\nabc\r\n0\r\n\r\n",
  "fffffffff\r\n",
  "-1\r\n",
  "a=1",
  "1\r\na\r\n".repeat(20_000),
  "GET /login HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(100),
];

/** Request lines and headers that no HTTP client writes, on a connection of their own. */
export const rawRequest: fc.Arbitrary<RawRequest> = fc
  .tuple(
    fc.constantFrom("GET", "POST", "HEAD", "TRACE", "CONNECT", "OPTIONS", "get", "F00", "G\0T"),
    fc.constantFrom(...TARGETS),
    fc.oneof({ weight: 4, arbitrary: fc.constant("HTTP/1.1") }, fc.constantFrom(...VERSIONS)),
    fc.option(fc.constantFrom(...HOSTS), { nil: null, freq: 5 }),
    fc.array(fc.constantFrom(...LINES), { maxLength: 2 }),
    fc.constantFrom(...BODIES),
  )
  .map(([method, target, version, host, lines, body]) => ({
    kind: "raw",
    target: "raw bytes",
    text: [
      `${method} ${target} ${version}`,
      ...(host === null ? [] : [`Host: ${host}`]),
      "Connection: close",
      ...lines,
      "",
      body,
    ].join("\r\n"),
  }));
