import fc from "fast-check";
import { expect, it } from "vitest";
import { jsonPieces, jsonStream } from "~/contract/json-pieces.server";

async function* slowly<T>(items: readonly T[]) {
  for (const item of items) {
    await Promise.resolve();
    yield item;
  }
}

/** Replaces each list by one that is read while it is written. */
function withSlowLists(value: unknown): unknown {
  if (Array.isArray(value)) return slowly(value.map(withSlowLists));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withSlowLists(one)]));
}

const onBroken = (fault: unknown) => expect.fail(String(fault));

async function read(pieces: AsyncIterable<string>) {
  const all = [];
  for await (const piece of pieces) all.push(piece);
  return all;
}

it("pieces together are the JSON of any value", async () => {
  const indents = fc.constantFrom(0, 2);
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), indents, async (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      // A slow list has no keys, so that `__proto__` is the only name that an object loses.
      fc.pre(!text.includes("__proto__"));
      expect((await read(jsonPieces(value, indent))).join("")).toBe(text);
      expect((await read(jsonPieces(withSlowLists(value), indent))).join("")).toBe(text);
      const stream = jsonStream(value, { indent, end: "\n", onBroken });
      expect(await new Response(stream).text()).toBe(`${text}\n`);
    }),
  );
});

it("no piece grows with the length of a list", async () => {
  const text = "é".repeat(10_000);
  const pieces = await read(jsonPieces({ list: slowly(Array.from({ length: 500 }, () => text)) }));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000);
  expect(JSON.parse(pieces.join(""))).toEqual({ list: Array(500).fill(text) });
});

it("a list is read only as far as it is sent", async () => {
  let count = 0;
  async function* counting() {
    for (; count < 10_000; count++) yield "x".repeat(1_000);
    await Promise.resolve();
  }
  const reader = jsonStream({ list: counting() }, { onBroken }).getReader();
  expect(count).toBe(0);
  await reader.read();
  expect(count).toBeLessThan(100);
  await reader.cancel();
});
