import { describe, expect, it } from "vitest";
import { encodeQuery } from "~/api/query";
import { decodeQuery } from "../../server/platform/http/decode";
import { randomOf } from "./random";

const ROUNDS = 2_000;

describe("the query of a call", () => {
  it.each([
    ["a list as a repeated key", { tags: ["a", "b"] }, "tags=a&tags=b"],
    ["a map as key and index", { sort: { date: "asc" } }, "sort%5Bdate%5D=asc"],
    ["a list within a map", { by: { tag: ["a", "b"] } }, "by%5Btag%5D=a&by%5Btag%5D=b"],
    ["numbers and booleans", { length: 0, whole: false }, "length=0&whole=false"],
    ["an empty text", { path: "" }, "path="],
    ["nothing for absent values", { a: undefined, b: null, c: [], d: {} }, ""],
    ["nothing for absent items", { a: ["x", undefined, null], b: { c: undefined } }, "a=x"],
    [
      "signs that mean something",
      { path: "/a?b=c&d=é+f %" },
      "path=%2Fa%3Fb%3Dc%26d%3D%C3%A9%2Bf+%25",
    ],
  ])("carries %s as agreed", (_, query, text) => {
    expect(encodeQuery(query).toString()).toBe(text);
  });

  it("is read by the platform unchanged", () => {
    const random = randomOf(20261120);
    for (let round = 0; round < ROUNDS; round++) {
      const query = randomQuery(random);
      const text = encodeQuery(query).toString();
      const decoded = decodeQuery(new URL(`https://cap.example/api?${text}`).searchParams);
      expect(plain(decoded), text).toEqual(query);
    }
  });
});

type Random = ReturnType<typeof randomOf>;

const KEYS = ["ids", "tags", "after", "path", "sort", "é clé", "__proto__", "a.b", "constructor"];

/** What a call may send: texts, lists of two or more (one reads like a text), maps of them. */
function randomQuery(random: Random): Record<string, unknown> {
  const value = () => (random.chance() ? random.text() : [random.text(), random.text()]);
  const map = () => Object.fromEntries(random.some(KEYS).map((key) => [key, value()]));
  const entries = random.some(KEYS).map((key) => [key, random.chance() ? value() : map()]);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: unknown) {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Objects without a prototype compare as others do. */
function plain(query: object) {
  return Object.fromEntries(Object.entries(query));
}
