import fc from "fast-check";

/** Markup that appears unescaped only in a page that forgets to escape. */
export const MARKER = `"' onxss="1"><xss-mark a='`;

/** Names with a special meaning in JavaScript, conform or Remix. */
export const CONTROL_NAMES = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
  "__intent__",
  "__state__",
  "__proto__.x",
  "__proto__[x]",
  "constructor.prototype.x",
  "a[4294967294]",
  "a[4294967295]",
  "a[300000]",
  "a[-1]",
  "a[1e9]",
  "a[]",
  "a[0].b[1].c",
  "[]",
  "[",
  "]",
  ".",
  "..",
  "a.",
  ".a",
  "a[",
  "a]",
  "",
  " ",
  "\0",
  "a\0b",
  "é",
  "\u202e",
  "restore",
  "carried",
  "website",
  "intent",
  "_data",
  "_routes",
  "index",
  MARKER,
];

/** Lengths of texts. The longest stays below the limit of a body. */
const LENGTHS = [24, 25, 50, 51, 128, 129, 254, 255, 512, 513, 2_048, 10_000, 10_001, 70_000];

const repeated = (units: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...units), fc.constantFrom(...LENGTHS))
    .map(([unit, length]) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length));

const unicode = [
  "\0",
  "a\0b",
  "\ud800",
  "a\udfffb",
  "\ud83d",
  "\ufeff",
  "\ufffe",
  "\uffff",
  "\u2028",
  "\u202eabc\u202c",
  "שלום",
  "مرحبا",
  "\u200b",
  "\u00ad",
  "\u061c",
  "\u3164",
  "\u{e0041}",
  "👩‍👩‍👧‍👦",
  "🇫🇷",
  "🌙",
  "e\u0301",
  `a${"\u0301".repeat(200)}`,
  "ﷺ",
  "ß",
  "İ",
  "ŉ",
  "ﬁ",
  "\u1e9e",
  "\r",
  "\n",
  "\r\n",
  "\t",
  "\u000b",
  "\u0007",
  "\u007f",
  "\u0085",
  " ",
  "\u00a0",
];

const sayings = [
  MARKER,
  "null",
  "undefined",
  "NaN",
  "true",
  "[object Object]",
  "0",
  "-1",
  "-0",
  "0x10",
  "1e9",
  "1e400",
  "9007199254740993",
  "00",
  "٣",
  "½",
  "Infinity",
  "2026-02-30",
  "9999-12-31",
  "0000-00-00",
  "-000001-01-01",
  "+275760-09-13T00:00:00Z",
  "' or 1=1 --",
  '"; drop table user; --',
  "%",
  "_",
  "\\",
  "\\0",
  "$1",
  "?",
  ":a",
  "{{7*7}}",
  "../../etc/passwd",
  "%2e%2e%2f",
  "%00",
  "file:///etc/passwd",
  "//mal.example",
  "javascript:1",
  "a@b",
  "a@xn--",
  "a@[127.0.0.1]",
  `"a b"@exemple.fr`,
  "a@exemple.fr\r\nBcc: b@exemple.fr",
  "é@exemple.fr",
  "a@éxemple.fr",
  `${"a".repeat(64)}@${"b".repeat(63)}.fr`,
  "<a@b.fr>",
  "[contact]: a",
  "]",
  "[",
  "{",
  "${1}",
  "{{name}}",
  "$t(ui:title)",
  "%s",
  "%n",
];

/** Texts that are known to break parsers and pages. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...sayings) },
  { weight: 4, arbitrary: fc.constantFrom(...unicode) },
  { weight: 2, arbitrary: fc.constantFrom(...CONTROL_NAMES) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: repeated(["a", " ", "*", "-", "_", ">", "é", "🌙", "\0", "\n", "a ", "@", ".", "<"]),
  },
  // Texts in the form of a cursor.
  {
    weight: 1,
    arbitrary: fc.jsonValue({ maxDepth: 1 }).map((value) => {
      const json = JSON.stringify(value);
      return Buffer.from(json).toString("base64url");
    }),
  },
);

/** The same for a query, short because long addresses are refused unread. */
export const hostileQuery = hostileText.map((text) => text.slice(0, 600));

/** A number, list or map where a text was expected, and the reverse. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: hostileText },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      1e308,
      2 ** 53,
      -(2 ** 31) - 1,
      2 ** 31,
      [],
      {},
      [[]],
      [null],
      { length: 1 },
      { $ne: null },
      { "": "" },
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(33, 500, 2_000).map(nested) },
  { weight: 1, arbitrary: fc.constantFrom(101, 1_001, 8_001).map(many) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

function many(length: number): unknown {
  return Array.from({ length }, (_, index) => index);
}

/** A list in a list in a list… */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let at = 1; at < depth; at++) value = at % 2 ? { a: value } : [value];
  return value;
}
