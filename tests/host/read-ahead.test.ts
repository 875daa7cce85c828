import { expect, it } from "vitest";
import { readAhead, remaining } from "../../server/host/http/read-ahead";

const CHUNK = new Uint8Array(64 * 1024);

/** A body whose chunks are all ready at once. */
function bodyOf(count: number) {
  let left = count;
  return new ReadableStream<Uint8Array>({
    pull: (controller) => (left-- > 0 ? controller.enqueue(CHUNK) : controller.close()),
  });
}

it("a long body is not read whole before it is sent", async () => {
  const start = await readAhead(bodyOf(1_000));
  expect(start.rest).toBeDefined();
  expect(start.bytes.byteLength).toBeLessThan(1024 * 1024);
  let length = 0;
  for await (const chunk of remaining(start)) length += chunk.byteLength;
  expect(length).toBe(1_000 * CHUNK.byteLength);
});

it("a long body that has ended is known whole", async () => {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new Uint8Array(300 * 1024));
      controller.close();
    },
  });
  const { bytes, rest } = await readAhead(body);
  expect(bytes.byteLength).toBe(300 * 1024);
  expect(rest).toBeUndefined();
});
